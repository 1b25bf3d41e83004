<start> ::= <len> ':' <word> ';' <count>
<len> ::= <digit>+
<word> ::= r'[a-z]{1,9}'
<count> ::= <digit>{2}
where str(<len>) == str(len(str(<word>)))
where int(<count>) < 50
