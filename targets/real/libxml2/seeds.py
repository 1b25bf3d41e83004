"""Seeds of the XML harness: one small document per feature."""

SEEDS: dict[str, bytes] = {
    "plain.xml": b'<?xml version="1.0"?>\n<a b="c">d<e/>&lt;&#65;</a>\n',
    "dtd.xml": b'<!DOCTYPE a [<!ELEMENT a (b*)><!ATTLIST a c CDATA "d"><!ENTITY e "f">]><a><b>&e;</b></a>',
    "namespace.xml": b'<x:a xmlns:x="urn:y" xml:lang="en"><x:b x:c="1"/></x:a>',
    "other.xml": b"<a><!-- b --><?c d?><![CDATA[<e>]]></a>",
    "latin1.xml": b'<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>',
}
