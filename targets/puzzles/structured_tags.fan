# Elements that hold one element or a text, and are closed by their name.
<start> ::= <element>
<element> ::= '<' <name> '>' <content> '</' <name> '>'
<content> ::= <element> | r'[0-9A-Z ]{0,4}'
<name> ::= r'[a-z]{8}'

where forall <e> in <element>:
    <e>.<name>[1] == <e>.<name>[0]
