# JavaScript programs: what is used is declared, `let` declares a name once, `break` and `return` stand where they may.

<start> ::= '"use strict";\n' <declaration>+ <statement>*
<declaration> ::= 'let ' <declared> ' = ' <literal> ';\n'
<declared> ::= <name>
<name> ::= r'[a-z][0-9]'
<statement> ::= <simple> ';\n' | <block> | <branch> | <loop> | <attempt>
<block> ::= '{\n' <statement>* '}\n'
<branch> ::= 'if (' <expression> ') ' <block> ('else ' <block>)?
<loop> ::= 'while (' <expression> ') {\n' <statement>* 'break;\n}\n' | 'do ' <block> 'while (false);\n' \
    | 'for (' <use> ' = 0; ' <use> ' < ' <digit> '; ' <use> '++) {\n' <statement>* ('break;\n' | 'continue;\n') '}\n' \
    | 'for (const v of [' <expressions> ']) ' <block>
<attempt> ::= 'try ' <block> 'catch (e) ' <block> ('finally ' <block>)?
<simple> ::= <use> <assignment> <expression> | <expression_start>
<expression_start> ::= <use> '++' | 'void ' <atom> | '(' <expression> ')'
<assignment> ::= ' = ' | ' += ' | ' -= ' | ' ??= ' | ' ||= '
<expression> ::= <atom> | <atom> <operator> <atom> | <unary> <atom> | <atom> ' ? ' <atom> ' : ' <atom>
<operator> ::= ' + ' | ' - ' | ' * ' | ' / ' | ' % ' | ' < ' | ' >= ' | ' == ' | ' === ' | ' !== ' | ' && ' | ' || ' | ' & ' | ' >>> '
<unary> ::= '!' | '-' | '~' | 'typeof '
<atom> ::= <use> | <literal> | '(' <expression> ')' | '[' <expressions>? ']' | '({' <properties>? '})' | <lambda>
<expressions> ::= <expression> (', ' <expression>)*
<properties> ::= <property> (', ' <property>)*
<property> ::= <key> ': ' <expression> | '[' <expression> ']: ' <expression> | '...' <object>
<object> ::= '{}' | 'null' | '[]'
<key> ::= <name> | <string> | <digit>
<lambda> ::= '(() => ' <atom> ')' | '(function () { return ' <expression> '; })'
<use> ::= <name>
<literal> ::= <number> | <string> | 'true' | 'false' | 'null' | 'undefined' | '`' r'[ -#%-\[\]-_a-~]{0,8}' '`'
<number> ::= '0' | r'[1-9][0-9]{0,4}' | r'[0-9]\.[0-9]{1,3}' | '0x' <hexdigit>{1,6} | r'[1-9]e[0-9]{1,2}'
<string> ::= '"' (r'[ !#-\[\]-~]' | '\\n' | '\\"' | '\\x' <hexdigit>{2} | '\\u' <hexdigit>{4}){0,8} '"'

where forall <u> in <use>:
    exists <d> in <declared>:
        str(<u>.<name>) == str(<d>.<name>)

where different([str(name) for name in *<start>.<declaration>.<declared>])

def different(names):
    return len(set(names)) == len(names)
