# Well-formed XML 1.0 documents with declarations: what opens is closed, no attribute twice, no entity undeclared.

<start> ::= <prolog>? <misc>* (<doctype> <misc>*)? <element> <misc>* | <prolog>? <misc>* <with_entity> <misc>*
<with_entity> ::= '<!DOCTYPE a [' <declaration>* '<!ENTITY e "' <entity_part>* '">' <declaration>* <parameter>? ']><a>' <entity_content>* '</a>'
<entity_content> ::= '&e;' | <text_part> | <element> | '<b>' <entity_content>* '</b>' | '<b c="&e;"/>'
<prolog> ::= '<?xml version="1.0"' (' encoding="' ('UTF-8' | 'ISO-8859-1') '"')? (' standalone="' ('yes' | 'no') '"')? '?>'
<misc> ::= <comment> | <instruction> | '\n'
<doctype> ::= '<!DOCTYPE ' <name> (' ' <outside>)? (' [' <declaration>* <parameter>? ']')? '>'
<outside> ::= 'SYSTEM "' <address> '"' | 'PUBLIC "' r'[a-z/-]*' '" "' <address> '"'
<address> ::= r'[a-z]{1,4}' | 'urn:' r'[a-z]+' | 'http://' r'[a-z]+' '/' r'[a-z]*'
<declaration> ::= '<!ELEMENT ' <name> ' ' <model> '>' | '<!ATTLIST ' <name> <column>* '>' | '<!ENTITY ' <entity_name> ' "' <entity_part>* '">' \
    | '<!ENTITY ' <entity_name> ' ' <outside> (' NDATA ' <name>)? '>' | '<!NOTATION ' <name> ' ' <outside> '>' | <comment> | <instruction> | '\n'
<parameter> ::= "<!ENTITY % p '<!ELEMENT " <name> " ANY>'>%p;" <declaration>*
<entity_name> ::= r'[A-Z][a-z0-9]{0,4}'
<entity_part> ::= r'[ !#$\'-;=?-~]' | '&amp;' | '&lt;' | '&#x41;'
<model> ::= 'EMPTY' | 'ANY' | '(#PCDATA)' | '(#PCDATA' ('|' <name>)+ ')*' | <group>
<group> ::= '(' <particle> ((',' <particle>)* | ('|' <particle>)+) ')' <often>
<particle> ::= <name> <often> | <group>
<often> ::= '' | '?' | '*' | '+'
<column> ::= ' ' <name> ' ' <type> ' ' ('#REQUIRED' | '#IMPLIED' | '#FIXED '? '"' r'[a-z0-9 ]*' '"')
<type> ::= 'CDATA' | 'ID' | 'IDREF' | 'IDREFS' | 'ENTITY' | 'ENTITIES' | 'NMTOKEN' | 'NMTOKENS' | 'NOTATION '? '(' <name> ('|' <name>)* ')'
<element> ::= <open> <content> <close> | <empty> | '<x:a xmlns:x="' <address> '"' <language>? '>' <scoped>* '</x:a>'
<scoped> ::= '<x:b' (' x:c="' <value_part>* '"')? '/>' | <element> | <text_part>
<language> ::= ' xml:lang="' r'[a-z]{2}' '"'
<open> ::= '<' <name> <space>? <attribute>* '>'
<space> ::= ' xmlns="' <address> '"' | ' xmlns:' r'[a-w]' '="' <address> '"' | <language> | ' xml:space="preserve"'
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
