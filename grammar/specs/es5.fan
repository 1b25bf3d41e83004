# ECMAScript 5 scripts with the names of the standard objects; names of one letter need not be declared.

<start> ::= <s> (<statement> | <function> <s>)* <simple>?
<body> ::= <statement>* <simple>?
<statement> ::= <simple> ';' <s> | <block> | <branch> | <loop> | <selection> | <attempt> | ';' <s>
<block> ::= '{' <s> <body> '}' <s>
<branch> ::= 'if' <condition> <block> | 'if' <condition> <simple> ';' <s> | 'if' <condition> <block> 'else ' <block>
<condition> ::= <s> '(' <s> <expression> ')' <s>
<loop> ::= 'while' <condition> <loop_block> | 'do ' <loop_block> 'while' <condition> ';' <s> \
    | 'for' <s> '(' <s> <leading>? ';' <s> <expression>? ';' <s> <expression>? ')' <s> <loop_block> \
    | 'for' <s> '(' 'var ' <name> ' in ' <expression> ')' <s> <loop_block>
<loop_block> ::= '{' <s> (<statement> | <jump> ';' <s>)* <jump>? '}' <s>
<jump> ::= ('if' <condition>)? ('break' | 'continue') <s>
<selection> ::= 'switch' <condition> '{' <s> <case>* ('default' <s> ':' <s> <statement>*)? '}' <s>
<case> ::= 'case ' <expression> ':' <s> <statement>* ('break;' <s>)?
<attempt> ::= 'try ' <block> <handler>
<handler> ::= <catch> <block> | 'finally ' <block> | <catch> <block> 'finally ' <block>
<catch> ::= 'catch' <s> '(' <name> ')' <s>
<function> ::= 'function ' <name> <s> <callable>
<callable> ::= '(' <s> (<name> <s> (',' <s> <name> <s>)*)? ')' <s> '{' <s> <returning> '}'
<returning> ::= (<statement> | <function> <s>)* (<simple> | <return> | <returning_attempt>)?
<return> ::= 'return' (' ' <expression>)? (';' <s>)?
<returning_attempt> ::= 'try' <s> '{' <s> <returning> '}' <s> <catch> '{' <s> <returning> '}' <s> \
    ('finally' <s> '{' <s> <returning> '}' <s>)?
<simple> ::= 'var ' <declaration> (',' <s> <declaration>)* | <leading> | 'throw ' <expression>
<declaration> ::= <name> <s> ('=' <s> <expression>)?
<leading> ::= <start_atom> <suffix>* <rest> | <assignment> | <name> <step> <s> | <step> <name> <s> | <prefix> <operand> <rest> | <number> <s> <rest>
<assignment> ::= <target> <assign> <s> <expression>
<target> ::= <name> <s> | <start_atom> <suffix>* '.' <property> <s> | <start_atom> '[' <s> <expression> ']' <s>
<step> ::= '++' | '--'
<assign> ::= '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>>=' | '&=' | '|=' | '^='
<expression> ::= <operand> <rest> | <assignment> | <prefix> <operand> <rest> | <name> <step> <s>
<rest> ::= (<operator> <operand>)* ('?' <s> <expression> ':' <s> <expression>)?
<operand> ::= <number> <s> | <start_atom> <suffix>* | <object> <suffix>* | 'function' (' ' <name>)? <s> <callable> <s> <suffix>*
<prefix> ::= '!' | '-' | '+' | '~' | 'typeof ' | 'void ' | 'delete ' | 'new '
<operator> ::= '+ ' | '- ' | '* ' | '/ ' | '% ' | '< ' | '> ' | '<= ' | '>= ' | '== ' | '!= ' | '=== ' | '!== ' | '&& ' | '|| ' \
    | '& ' | '| ' | '^ ' | '<< ' | '>> ' | '>>> ' | ' in ' | ' instanceof '
<suffix> ::= '.' <property> <s> | '[' <s> <expression> ']' <s> | '(' <s> (<expression> (',' <s> <expression>)*)? ')' <s>
<start_atom> ::= <name> <s> | <string> <s> | <word> <s> | <array> | '(' <s> <expression> ')' <s> | <regex> <s> \
    | 'new ' <constructor> '(' <s> (<expression> (',' <s> <expression>)*)? ')' <s>
<array> ::= '[' <s> (<expression> (',' <s> <expression>)*)? ']' <s>
<object> ::= '{' <s> (<member> (',' <s> <member>)*)? '}' <s>
<member> ::= <key> <s> ':' <s> <expression> | 'get ' <name> '()' <s> '{' <s> <returning> '}' <s> \
    | 'set ' <name> '(' <name> ')' <s> '{' <s> <returning> '}' <s>
<key> ::= <name> | <string> | r'[0-9]'
<name> ::= r'[a-z]'
<word> ::= 'this' | 'null' | 'true' | 'false' | 'undefined' | 'NaN' | 'Infinity' | 'Math' | 'JSON' | 'parseInt' | 'parseFloat' \
    | 'isNaN' | 'isFinite' | 'decodeURI' | 'decodeURIComponent' | 'encodeURI' | 'encodeURIComponent' | <constructor>
<constructor> ::= 'Object' | 'Function' | 'String' | 'Number' | 'Boolean' | 'Date' | 'RegExp' | 'Error' | 'TypeError' \
    | 'RangeError' | 'SyntaxError' | 'Array'
<property> ::= <name> | 'length' | 'prototype' | 'constructor' | 'message' | 'name' | 'stack' | 'index' | 'input' | 'lastIndex' \
    | 'source' | 'global' | 'toString' | 'valueOf' | 'hasOwnProperty' | 'isPrototypeOf' | 'propertyIsEnumerable' \
    | 'charAt' | 'charCodeAt' | 'concat' | 'indexOf' | 'lastIndexOf' | 'localeCompare' | 'match' | 'replace' | 'search' \
    | 'slice' | 'split' | 'substring' | 'toLowerCase' | 'toUpperCase' | 'trim' | 'fromCharCode' | 'join' | 'pop' | 'push' \
    | 'reverse' | 'shift' | 'sort' | 'splice' | 'unshift' | 'every' | 'some' | 'map' | 'filter' | 'reduce' | 'reduceRight' \
    | 'isArray' | 'create' | 'defineProperty' | 'defineProperties' | 'getOwnPropertyDescriptor' | 'getOwnPropertyNames' \
    | 'getPrototypeOf' | 'keys' | 'freeze' | 'isFrozen' | 'seal' | 'isSealed' | 'preventExtensions' | 'isExtensible' \
    | 'apply' | 'bind' | 'call' | 'toFixed' | 'toExponential' | 'toPrecision' | 'MAX_VALUE' | 'EPSILON' | 'exec' | 'test' \
    | 'parse' | 'stringify' | 'abs' | 'acos' | 'atan2' | 'ceil' | 'cos' | 'exp' | 'floor' | 'log' | 'max' | 'min' | 'pow' \
    | 'random' | 'round' | 'sin' | 'sqrt' | 'tan' | 'PI' | 'now' | 'UTC' | 'getTime' | 'getFullYear' | 'getDay' | 'getHours' \
    | 'setMonth' | 'setUTCDate' | 'toISOString' | 'toJSON' | 'toDateString' | 'getTimezoneOffset' | 'value' | 'writable' \
    | 'enumerable' | 'configurable' | 'get' | 'set'
<number> ::= '0' | r'[1-9][0-9]{0,4}' | r'[0-9]\.[0-9]{1,3}' | '0x' <hexdigit>{1,6} | r'[1-9]e[+-]?[0-9]{1,3}'
<string> ::= '"' <character>* '"' | "'" <character>* "'"
<character> ::= r'[ !#-&(-\[\]-~]' | '\\n' | '\\"' | "\\'" | '\\\\' | '\\x' <hexdigit>{2} | '\\u' <hexdigit>{4}
<regex> ::= '/' <piece>+ '/' r'g?i?m?'
<piece> ::= <unit> <quantifier>?
<unit> ::= r'[a-z0-9,]' | '.' | '\\' r'[dDsSwW.]' | '[' '^'? r'[a-f]-[g-z]' ']' | '(' <piece>+ ')' | '(?:' <piece>+ '|' <piece>* ')' \
    | '(?=' <piece>+ ')' | '(?!' <piece>+ ')'
<quantifier> ::= '*' | '+' | '?' | '{' r'[0-3]' '}' | '{' r'[0-2]' ',' r'[3-9]' '}' | '*?' | '+?'
<s> ::= '' | ' '
