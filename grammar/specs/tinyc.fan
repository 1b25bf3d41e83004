# Tiny-C: one-letter integer variables, sums and comparisons, if, while and do.

<start> ::= <ws> <statement>+
<statement> ::= 'if' <condition> <statement> | 'if' <condition> <statement> 'else' <gap> <statement> \
    | 'while' <condition> <statement> | 'do' <gap> <statement> 'while' <condition> ';' <ws> \
    | '{' <ws> <statement>* '}' <ws> | <expression> ';' <ws> | ';' <ws>
<condition> ::= <ws> '(' <ws> <expression> ')' <ws>
<expression> ::= <variable> '=' <ws> <expression> | <sum> | <sum> <comparison> <ws> <sum>
<comparison> ::= '<' | '=='
<sum> ::= <term> (<sign> <ws> <term>)*
<sign> ::= '+' | '-'
<term> ::= <variable> | <number> | '(' <ws> <expression> ')' <ws>
<variable> ::= r'[a-z]' <ws>
<number> ::= r'[0-9]{1,10}' <ws>
<gap> ::= ' ' | '\n'
<ws> ::= r'[ \n]{0,2}'
