# URLs as RFC 3986 has them, with an authority: ports and the parts of IPv4 addresses are in range.

<start> ::= <scheme> '://' <authority> <path> ('?' <query>)? ('#' <fragment>)?
<scheme> ::= 'http' | 'https' | 'ftp' | 'ws' | 'wss' | r'[a-z][a-z0-9+.-]{0,6}'
<authority> ::= (<user> '@')? <host> (':' <port>)?
<user> ::= <user_part>+ (':' <user_part>*)?
<user_part> ::= <unreserved> | <escaped> | <delimiter>
<host> ::= <name> | <ipv4> | <ipv6>
<name> ::= <label> ('.' <label>)* '.' <top>
<label> ::= r'[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?'
<top> ::= r'[a-z]{2,6}'
<ipv4> ::= <octet> '.' <octet> '.' <octet> '.' <octet>
<octet> ::= '0' | r'[1-9][0-9]{0,2}'
<ipv6> ::= '[' (<group> ':'){7} <group> ']' | '[' (<group> ':'){1,5} ':' <group> ']' | '[::' <group>? ']'
<group> ::= <hexdigit>{1,4}
<port> ::= r'[1-9][0-9]{0,4}'
<path> ::= ('/' <path_part>*)*
<path_part> ::= <unreserved> | <escaped> | <delimiter> | ':' | '@'
<query> ::= <parameter> ('&' <parameter>)*
<parameter> ::= <word> '=' <word>
<word> ::= (<unreserved> | <escaped>)+
<fragment> ::= (<path_part> | '/' | '?')*
<unreserved> ::= r'[A-Za-z0-9._~-]'
<escaped> ::= '%' <hexdigit>{2}
<delimiter> ::= r'[!$&\'()*+,;=]'

where int(<port>) <= 65535
where int(<octet>) <= 255
