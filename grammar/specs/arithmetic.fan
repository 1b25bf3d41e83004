# Arithmetic over whole numbers, in which nothing is divided by a literal zero.

<start> ::= <sum>
<sum> ::= <sum> (' + ' | ' - ') <product> | <product>
<product> ::= <product> ' * ' <factor> | <product> (' / ' | ' % ') <divisor> | <factor>
<factor> ::= '-' <factor> | <atom>
<atom> ::= <number> | '(' <sum> ')'
<divisor> ::= <number>
<number> ::= '0' | r'[1-9][0-9]{0,4}'

where forall <d> in <divisor>:
    int(<d>) != 0
