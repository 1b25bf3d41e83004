<start> ::= <n>
<n> ::= r'[0-9]'
where 1 // (int(<n>) - int(<n>)) == 2
