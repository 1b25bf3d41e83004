<start> ::= 'a' | 'b'
setting * havoc_probabilty=0.5
