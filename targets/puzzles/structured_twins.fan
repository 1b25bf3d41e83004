# Two expressions that are the same, with their length in front: two letters, A to P, of four bits each.
<start> ::= <length> <pair>
<length> ::= r'[A-P]{2}'
<pair> ::= <left> '=' <right>
<left> ::= <expression>
<right> ::= <expression>
<expression> ::= <digit> | '(' <expression> ('+' | '*') <expression> ')'

where <pair>.<right>.<expression> == <pair>.<left>.<expression>
where str(<start>.<length>) == letters(len(str(<start>.<pair>)))

def letters(number):
    return chr(65 + number // 16 % 16) + chr(65 + number % 16)
