<start> ::= <a> <b>
<a> ::= <num>
<b> ::= <a> 'x'
<num> ::= <digit>+
where int(<num>) > 5
where int(<num>) < 3
where <start>.<num> == "5"
where <num>..<b> == "5"
where 1 < 2
