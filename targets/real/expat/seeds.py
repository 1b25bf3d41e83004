"""Seeds of the expat harness: a document, and one with all kinds of declarations."""

SEEDS: dict[str, bytes] = {
    "document.xml": b'<?xml version="1.0" encoding="UTF-8"?>\n<a b=\'c\'>&lt;&#65;<d/><![CDATA[e]]><!-- f --></a>\n',
    "declarations.xml": b"""<!DOCTYPE a [
<!ELEMENT a (#PCDATA | b)*> <!ELEMENT b (c?, d+)> <!ELEMENT c EMPTY> <!ELEMENT d ANY>
<!ATTLIST a x CDATA #REQUIRED y (p|q) "p" z ID #IMPLIED>
<!NOTATION n PUBLIC "m"> <!ENTITY e "f"> <!ENTITY % g 'h'> <!ENTITY u SYSTEM "v" NDATA n>
]><a x="1">&e;</a>
""",
}
