# Lines that declare names, each once, and then lines that use them.
<start> ::= <let>+ <use>*
<let> ::= 'let ' <name> ';'
<use> ::= 'use ' <name> ';'
<name> ::= r'[a-z]{6}'

where forall <u> in <use>:
    exists <l> in <let>:
        str(<u>.<name>) == str(<l>.<name>)

where different([str(name) for name in *<let>.<name>])

def different(names):
    return len(set(names)) == len(names)
