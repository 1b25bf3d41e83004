"""Seeds of the harness of LDAP's schemas: a definition of each kind."""

SEEDS: dict[str, bytes] = {
    "attributetype.ldif": b"( 1.2.3 NAME ( 'a' 'b' ) DESC 'c' OBSOLETE SUP d EQUALITY e ORDERING f SUBSTR g "
    b"SYNTAX 1.3.6{64} SINGLE-VALUE COLLECTIVE NO-USER-MODIFICATION USAGE dSAOperation X-H 'i' )",
    "objectclass.ldif": b"( 1.2.4 NAME 'a' SUP ( b $ c ) STRUCTURAL MUST d MAY ( e $ f ) )",
    "syntax.ldif": b"( 1.2.5 DESC 'a' X-B ( 'c' 'd' ) )",
    "matchingrule.ldif": b"( 1.2.6 NAME 'a' SYNTAX 1.2.5 )",
    "matchingruleuse.ldif": b"( 1.2.7 NAME 'a' APPLIES ( b $ c ) )",
    "contentrule.ldif": b"( 1.2.8 NAME 'a' AUX b MUST c MAY d NOT e )",
    "structurerule.ldif": b"( 1 NAME 'a' FORM b )",
    "nameform.ldif": b"( 1.2.9 NAME 'a' OC b MUST c MAY d )",
}
