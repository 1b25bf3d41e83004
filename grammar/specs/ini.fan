# INI files as Python's configparser reads them: no section twice, no key twice in one.

<start> ::= <line>* <section>+
<section> ::= '[' <title> ']\n' <entry>*
<entry> ::= <pair> | <line>
<pair> ::= <key> <equals> <value> '\n'
<key> ::= r'[a-z][a-z0-9_.-]{0,10}'
<equals> ::= '=' | ' = ' | ':' | ' : '
<value> ::= '' | r'[!-~]([ -~]{0,20}[!-~])?'
<line> ::= '\n' | ('#' | ';') r'[ -~]{0,20}' '\n'
<title> ::= r'[A-Za-z0-9_][A-Za-z0-9 _.:-]{0,12}'

where different([str(title) for title in *<start>.<section>.<title>])

where forall <s> in <section>:
    different([str(key) for key in *<s>.<entry>.<pair>.<key>])

# The defaults of the other sections are none that one may add to.
where str(<title>) != 'DEFAULT'

def different(names):
    return len(set(names)) == len(names)
