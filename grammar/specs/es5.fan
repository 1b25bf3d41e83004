# ECMAScript 5 scripts that use the standard objects as they are meant to be used; names of one letter need not be declared.

<start> ::= <s> (<statement> | <function> <s>)* <simple>?
<body> ::= <statement>* <simple>?
<statement> ::= <simple> ';' <s> | <use> | <block> | <branch> | <loop> | <selection> | <attempt> | <labelled> | <comment>
    | ';' <s>
<use> ::= <standard> ';' <s> | 'var ' <name> <s> '=' <s> <standard> ';' <s>
<labelled> ::= 'L:' <s> '{' <s> (<simple> ';' <s>)* 'if' <condition> 'break L;' <s> (<simple> ';' <s>)* '}' <s>
<comment> ::= '//' r'[ -~]*' '\n' | '/*' r'[ -).-~]*' '*/' <s>
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
<leading> ::= <start_atom> <suffix>* <rest> | <assignment> | <name> <step> <s> | <step> <name> <s>
    | <prefix> <operand> <rest> | <number> <s> <rest>
<assignment> ::= <target> <assign> <s> <expression>
<target> ::= <name> <s> | <start_atom> <suffix>* '.' <property> <s> | <start_atom> '[' <s> <expression> ']' <s>
<step> ::= '++' | '--'
<assign> ::= '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>>=' | '>>>=' | '&=' | '|=' | '^='
<expression> ::= <operand> <rest> | <on_numbers> | <on_text> | <on_list> | <on_pattern> | <on_time> | <on_object>
    | <on_function> | <assignment> | <prefix> <operand> <rest> | <name> <step> <s>
<rest> ::= (<operator> <operand>)* ('?' <s> <expression> ':' <s> <expression>)?
<operand> ::= <number> <s> | <start_atom> <suffix>* | <object> <suffix>* | 'function' (' ' <name>)? <s> <callable> <s> <suffix>*
<prefix> ::= '!' | '-' | '+' | '~' | 'typeof ' | 'void ' | 'delete ' | 'new '
<operator> ::= '+ ' | '- ' | '* ' | '/ ' | '% ' | '< ' | '> ' | '<= ' | '>= ' | '== ' | '!= ' | '=== ' | '!== ' | '&& '
    | '|| ' \
    | '& ' | '| ' | '^ ' | '<< ' | '>> ' | '>>> ' | ' in ' | ' instanceof '
<suffix> ::= '.' <property> <s> | '[' <s> <expression> ']' <s> | <arguments>
<arguments> ::= '(' <s> (<expression> (',' <s> <expression>)*)? ')' <s>
<start_atom> ::= <name> <s> | <string> <s> | <word> <s> | <array> | '(' <s> <expression> ')' <s> | <regex> <s> \
    | 'new ' <constructor> <arguments>
<standard> ::= <on_numbers> | <on_text> | <on_list> | <on_pattern> | <on_time> | <on_object> | <on_function>
<on_numbers> ::= 'Math.' <math> <given> | 'Math.' <constant> | 'Number.' <limit> | '(' <number> ').' <of_number> <given>
    | <conversion> '("' '-'? <number> '"' (',' <expression>)? ')'
<on_text> ::= <string> '.' <of_string> <given> | 'String.fromCharCode' <given> | <uri_function> '("' <uri_part>* '")'
    | 'JSON.stringify' <given> | 'JSON.parse(' "'" <json> "'" (',' <expression>)? ')'
<on_list> ::= <array> '.' <of_list> <given> | <array> '.' <iteration> '(function' <callable> (',' <expression>)? ')'
<on_pattern> ::= <string> '.' <by_pattern> '(' <regex> (',' <expression>)? ')' | <regex> '.' <of_pattern> <given>
    | 'new RegExp("' <piece>+ '"' (',"' r'g?i?m?' '"')? ')'
<on_time> ::= 'Date.' <of_dates> <given> | 'Date.parse("' <date> '")'
    | 'new Date(' (<number> (',' <number>){0,6} | '"' <date> '"')? ').' <of_date> <given>
<on_object> ::= 'Object.' <of_objects> '(' <subject> (',' <expression>)* ')' | <subject> '.' <of_object> <given>
    | 'Object.defineProperty(' <subject> ',' <string> ',' <descriptor> ')'
    | 'Object.' <of_several> '(' <subject> ',{' (<key> ':' <descriptor>)? '})'
<on_function> ::= '(function' <callable> ').' <of_function> <given>
<given> ::= '()' | '(' <expression> (',' <expression>)* ')'
<subject> ::= '({})' | '[]' | <array> | 'new ' <constructor> <given> | '(' <object> ')' | '(function' <callable> ')'
<descriptor> ::= '{' (<attribute> (',' <attribute>)*)? '}'
<attribute> ::= ('value' | 'writable' | 'enumerable' | 'configurable') ':' <expression> | ('get' | 'set') ':function' <callable>
<json> ::= '{' (<json_member> (',' <json_member>)*)? '}' | '[' (<json> (',' <s> <json>)*)? ']' | '-'? <number> \
    | '"' <json_character>* '"' | 'true' | 'false' | 'null'
<json_member> ::= '"' <json_character>* '"' <s> ':' <s> <json>
<json_character> ::= r'[a-z ]' | '\\\\' r'[nrtbf]' | '\\\\u' <hexdigit>{4}
<date> ::= r'[12][0-9]{3}' ('-' r'0[1-9]|1[0-2]' ('-' r'[0-2][1-9]|3[01]')?)? \
    ('T' r'[01][0-9]|2[0-4]' ':' r'[0-5][0-9]' (':' r'[0-5][0-9]' ('.' r'[0-9]{1,3}')?)? ('Z' | r'[+-]' r'[01][0-9]' ':' r'[0-5][0-9]')?)?
<uri_part> ::= r'[a-z0-9 ;/?:@&=+$,#_.!~*()-]' | '%' <hexdigit>{2} | '\\u' <hexdigit>{4}
<array> ::= '[' <s> (<expression> (',' <s> <expression>)*)? ']' <s>
<object> ::= '{' <s> (<member> (',' <s> <member>)*)? '}' <s>
<member> ::= <key> <s> ':' <s> <expression> | 'get ' <name> '()' <s> '{' <s> <returning> '}' <s> \
    | 'set ' <name> '(' <name> ')' <s> '{' <s> <returning> '}' <s>
<key> ::= <name> | <string> | r'[0-9]'
<name> ::= 'a' | 'b' | r'[a-z]'
<word> ::= 'this' | 'null' | 'true' | 'false' | 'undefined' | 'NaN' | 'Infinity' | 'arguments' | 'Math' | 'JSON' | 'isNaN'
    | 'isFinite' \
    | <conversion> | <uri_function> | <constructor>
<conversion> ::= 'parseInt' | 'parseFloat' | 'Number' | 'String' | 'Boolean'
<uri_function> ::= 'decodeURI' | 'decodeURIComponent' | 'encodeURI' | 'encodeURIComponent'
<constructor> ::= 'Object' | 'Function' | 'String' | 'Number' | 'Boolean' | 'Date' | 'RegExp' | 'Error' | 'EvalError'
    | 'TypeError' \
    | 'RangeError' | 'ReferenceError' | 'SyntaxError' | 'URIError' | 'Array'
<property> ::= <name> | 'length' | 'prototype' | 'constructor' | 'message' | 'name' | 'stack' | 'index' | 'input'
    | 'lastIndex' \
    | 'source' | 'global' | 'ignoreCase' | 'multiline' | 'isArray' | 'parse' | 'stringify' | 'fromCharCode' | 'value'
    | 'get' | 'set' \
    | 'callee' | <of_object> | <of_objects> | <of_several> | <of_string> | <by_pattern> | <of_list> | <iteration>
    | <of_pattern> \
    | <of_number> | <of_dates> | <of_date> | <of_function> | <math> | <constant> | <limit>
<of_object> ::= 'hasOwnProperty' | 'isPrototypeOf' | 'propertyIsEnumerable' | 'toString' | 'toLocaleString' | 'valueOf'
<of_objects> ::= 'create' | 'getOwnPropertyDescriptor' | 'getOwnPropertyNames' | 'getPrototypeOf' | 'keys' | 'freeze'
    | 'isFrozen' \
    | 'seal' | 'isSealed' | 'preventExtensions' | 'isExtensible' | 'defineProperty'
<of_several> ::= 'create' | 'defineProperties'
<of_string> ::= 'charAt' | 'charCodeAt' | 'concat' | 'indexOf' | 'lastIndexOf' | 'localeCompare' | 'slice' | 'substring'
    | 'toLowerCase' \
    | 'toUpperCase' | 'toLocaleLowerCase' | 'toLocaleUpperCase' | 'trim' | 'split' | 'valueOf'
<by_pattern> ::= 'match' | 'replace' | 'search' | 'split'
<of_list> ::= 'concat' | 'join' | 'pop' | 'push' | 'reverse' | 'shift' | 'slice' | 'sort' | 'splice' | 'unshift' | 'indexOf' \
    | 'lastIndexOf' | 'toString'
<iteration> ::= 'every' | 'some' | 'map' | 'filter' | 'reduce' | 'reduceRight' | 'sort' | 'forEach'
<of_pattern> ::= 'exec' | 'test' | 'toString'
<of_number> ::= 'toFixed' | 'toExponential' | 'toPrecision' | 'toString' | 'toLocaleString' | 'valueOf'
<of_dates> ::= 'now' | 'UTC' | 'parse'
<of_date> ::= 'get' <of_time> | 'set' <of_time> | 'getTime' | 'setTime' | 'getTimezoneOffset' | 'toISOString' | 'toJSON'
    | 'toDateString' \
    | 'toTimeString' | 'toUTCString' | 'toLocaleDateString' | 'toLocaleTimeString' | 'toLocaleString' | 'toString' | 'valueOf'
<of_time> ::= 'UTC'? ('FullYear' | 'Month' | 'Date' | 'Day' | 'Hours' | 'Minutes' | 'Seconds' | 'Milliseconds')
<of_function> ::= 'apply' | 'bind' | 'call' | 'toString'
<math> ::= 'abs' | 'acos' | 'asin' | 'atan' | 'atan2' | 'ceil' | 'cos' | 'exp' | 'floor' | 'log' | 'max' | 'min' | 'pow'
    | 'random' \
    | 'round' | 'sin' | 'sqrt' | 'tan'
<constant> ::= 'E' | 'LN10' | 'LN2' | 'LOG2E' | 'LOG10E' | 'PI' | 'SQRT1_2' | 'SQRT2'
<limit> ::= 'MAX_VALUE' | 'MIN_VALUE' | 'NEGATIVE_INFINITY' | 'POSITIVE_INFINITY' | 'EPSILON'
<number> ::= '0' | r'[1-9][0-9]{0,4}' | r'[0-9]\.[0-9]{1,3}' | '0x' <hexdigit>{1,6} | r'[1-9]e[+-]?[0-9]{1,3}'
    | r'\.[0-9]{1,3}' | r'[1-9]\.'
<string> ::= '"' <character>* '"' | "'" <character>* "'"
<character> ::= r'[ !#-&(-\[\]-~]' | '\\' r'[bfnrtv0]' | '\\"' | "\\'" | '\\\\' | '\\x' <hexdigit>{2} | '\\u' <hexdigit>{4}
<regex> ::= '/' <piece>+ '/' r'g?i?m?'
<piece> ::= <unit> <quantifier>? | '^' | '$' | '\\' r'[bB]'
<unit> ::= r'[a-z0-9,]' | '.' | '\\' r'[dDsSwW.*+?/]' | '[' '^'? <range>+ ']' | '(' <piece>+ ')' <back>? \
    | '(?:' <piece>+ '|' <piece>* ')' | '(?=' <piece>+ ')' | '(?!' <piece>+ ')' | '\\x' <hexdigit>{2} | '\\u' <hexdigit>{4}
<back> ::= '\\1'
<range> ::= r'[a-f]-[g-z]' | r'[a-z0-9]' | '\\' r'[dDsSwWb]'
<quantifier> ::= '*' | '+' | '?' | '{' r'[0-3]' '}' | '{' r'[0-2]' ',' r'[3-9]' '}' | '{' r'[0-2]' ',}' | '*?' | '+?'
<s> ::= '' | ' '
