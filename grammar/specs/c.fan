# C programs of whole numbers: variables are declared once and before use, functions are called with what they take.

<start> ::= <function>* <main>
<function> ::= 'static int ' <function_name> '(' <parameter> ') {\n' <body> '  return ' <expression> ';\n}\n'
<main> ::= 'int main(void) {\n' <body> '  return 0;\n}\n'
<function_name> ::= r'f[0-9]{1,2}'
<parameter> ::= 'int ' <declared>
<body> ::= <declaration>+ <statement>*
<declaration> ::= '  int ' <declared> ' = ' <number> ';\n'
<declared> ::= <name>
<name> ::= r'[a-eg-z][0-9]?'
<statement> ::= '  ' <simple> ';\n' | <branch> | <loop> | <block>
<block> ::= '  {\n' <statement>* '  }\n'
<branch> ::= '  if (' <expression> ')\n' <block> ('  else\n' <block>)?
<loop> ::= '  while (' <expression> ')\n' <block> | '  do\n' <block> '  while (' <expression> ');\n' \
    | '  for (' <simple> '; ' <expression> '; ' <simple> ')\n' <loop_block>
<loop_block> ::= '  {\n' <statement>* ('  break;\n' | '  continue;\n')? '  }\n'
<simple> ::= <use> <assignment> <expression> | <use> '++' | '--' <use> | <expression>
<assignment> ::= ' = ' | ' += ' | ' -= ' | ' *= ' | ' ^= '
<expression> ::= <term> | <term> <operator> <term> | '!' <term> | '-' <term> | '~' <term>
<operator> ::= ' + ' | ' - ' | ' * ' | ' & ' | ' | ' | ' ^ ' | ' << ' | ' >> ' | ' < ' | ' > ' | ' == ' | ' != ' | ' && ' \
    | ' || '
<term> ::= <use> | <number> | '(' <expression> ')' | '(' <expression> ' ? ' <expression> ' : ' <expression> ')'
<use> ::= <name>
<number> ::= '0' | r'[1-9][0-9]{0,5}' | '0x' <hexdigit>{1,7} | "'" r'[ -&(-\[\]-~]' "'"

where forall <f> in <function>:
    forall <u> in <f>..<use>:
        exists <d> in <f>..<declared>:
            str(<u>.<name>) == str(<d>.<name>)

where forall <f> in <main>:
    forall <u> in <f>..<use>:
        exists <d> in <f>..<declared>:
            str(<u>.<name>) == str(<d>.<name>)

where forall <f> in <function>:
    different([str(name) for name in *<f>..<declared>])

where forall <f> in <main>:
    different([str(name) for name in *<f>..<declared>])

where different([str(name) for name in *<start>.<function>.<function_name>])

def different(names):
    return len(set(names)) == len(names)
