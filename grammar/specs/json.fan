# JSON texts as RFC 8259 has them.

<start> ::= <ws> <value> <ws>
<value> ::= <object> | <array> | <string> | <number> | 'true' | 'false' | 'null'
<object> ::= '{' <ws> '}' | '{' <member> (',' <member>)* '}'
<member> ::= <ws> <string> <ws> ':' <ws> <value> <ws>
<array> ::= '[' <ws> ']' | '[' <element> (',' <element>)* ']'
<element> ::= <ws> <value> <ws>
<string> ::= '"' <character>* '"'
<character> ::= r'[ !#-\[\]-~]' | '\\' <escape> | <letter_beyond_ascii>
<letter_beyond_ascii> ::= 'é' | 'ß' | '中' | '😀'
<escape> ::= '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' <hexdigit>{4}
<number> ::= '-'? <integer> <fraction>? <exponent>?
<integer> ::= '0' | r'[1-9]' <digit>*
<fraction> ::= '.' <digit>+
<exponent> ::= ('e' | 'E') ('+' | '-')? <digit>{1,2}
<ws> ::= '' | ' ' | '\n' | '\t' | '\r\n'
