# TAR archives (ustar): sizes, padding and checksums are right.

<start> ::= <entry>{1,4} <end>
<entry> ::= <header> <content> <padding>
<header> ::= <before> <checksum> <after>
<before> ::= <name> <mode> <uid> <gid> <size> <mtime>
<after> ::= <type> <link> 'ustar\0' '00' <owner> <group> <device> <device> <prefix> <nul>{12}
<name> ::= <name_text> <nul>{100 - len(str(<name_text>))}
<name_text> ::= r'[a-z0-9_]' r'[A-Za-z0-9_.-]{0,40}'
<mode> ::= '0000' <octdigit>{3} '\0'
<uid> ::= <octdigit>{7} '\0'
<gid> ::= <octdigit>{7} '\0'
<size> ::= <octdigit>{11} '\0'
<mtime> ::= <octdigit>{11} '\0'
<checksum> ::= <octdigit>{6} '\0 '
<type> ::= '0' | '\0'
<link> ::= <nul>{100}
<owner> ::= <owner_text> <nul>{32 - len(str(<owner_text>))}
<owner_text> ::= r'[a-z_][a-z0-9_-]{0,20}'
<group> ::= <group_text> <nul>{32 - len(str(<group_text>))}
<group_text> ::= r'[a-z_][a-z0-9_-]{0,20}'
<device> ::= <octdigit>{7} '\0'
<prefix> ::= <nul>{155}
<content> ::= r'[ -~\n]{0,700}'
<padding> ::= <nul>{-len(str(<content>)) % 512}
<end> ::= <nul>{1024}
<nul> ::= '\0'

where forall <e> in <entry>:
    str(<e>.<header>.<before>.<size>) == f'{len(str(<e>.<content>)):011o}\0'

where forall <h> in <header>:
    str(<h>.<checksum>) == checksum(str(<h>.<before>) + str(<h>.<after>))

def checksum(rest):
    # The checksum itself counts as eight spaces.
    return f'{sum(rest.encode()) + 8 * 32:06o}\0 '
