# CSV as RFC 4180 has it: every record has as many fields as the header.

<start> ::= <header> <record>*
<header> ::= <field> (',' <field>)* '\r\n'
<record> ::= <field> (',' <field>)* '\r\n'
<field> ::= <plain> | <quoted>
<plain> ::= r'[A-Za-z0-9 !#-+.-;=?@_-]{1,12}'
<quoted> ::= '"' (r'[ !#-~]' | '""' | '\r\n')* '"'

where forall <r> in <record>:
    len(*<r>.<field>) == len(*<header>.<field>)
