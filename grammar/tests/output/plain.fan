<start> ::= 'a' | 'b'
