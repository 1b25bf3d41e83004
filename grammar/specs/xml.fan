# Well-formed XML 1.0 documents: what opens is closed, no attribute twice.

<start> ::= <prolog>? <misc>* <element> <misc>*
<prolog> ::= '<?xml version="1.0"' (' encoding="UTF-8"')? (' standalone="' ('yes' | 'no') '"')? '?>'
<misc> ::= <comment> | <instruction> | '\n'
<element> ::= <open> <content> <close> | <empty>
<open> ::= '<' <name> <attribute>* '>'
<close> ::= '</' <name> '>'
<empty> ::= '<' <name> <attribute>* '/>'
<attribute> ::= ' ' <name> '="' <value_part>* '"'
<content> ::= (<element> | <text> | <comment> | <cdata> | <instruction>)*
<text> ::= <text_part>+
<text_part> ::= r'[ -%\'-;=?-~]' | '\n' | <reference> | 'ä' | '中'
<value_part> ::= r'[ !#-%\'-;=?-~]' | <reference>
<reference> ::= '&amp;' | '&lt;' | '&gt;' | '&quot;' | '&apos;' | '&#' r'[4-9][0-9]' ';' | '&#x' r'[2-7][0-9a-f]' ';'
<comment> ::= '<!--' r'[ -,.-~]'* '-->'
<cdata> ::= '<![CDATA[' r'[ -\\^-~]'* ']]>'
<instruction> ::= '<?' r'[a-wyz][a-z0-9]*' (' ' r'[ -=@-~]'*)? '?>'
<name> ::= r'[A-Za-z_][A-Za-z0-9_.-]{0,6}'

where forall <e> in <element>:
    <e>.<close>.<name> == <e>.<open>.<name>

where forall <o> in <open>:
    different([str(name) for name in *<o>.<attribute>.<name>])

where forall <o> in <empty>:
    different([str(name) for name in *<o>.<attribute>.<name>])

def different(names):
    return len(set(names)) == len(names)
