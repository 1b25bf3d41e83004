# Elements that hold one element or a text, and are closed by their name.
<start> ::= <element>
<element> ::= <open> <content> <close>
<open> ::= '<' <name> '>'
<close> ::= '</' <name> '>'
<content> ::= <element> | r'[0-9A-Z ]{0,4}'
<name> ::= r'[a-d]{8}'

where forall <e> in <element>:
    <e>.<close>.<name> == <e>.<open>.<name>
