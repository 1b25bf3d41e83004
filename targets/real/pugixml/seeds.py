"""Seeds of the pugixml harness: a document, and what else may stand in one."""

SEEDS: dict[str, bytes] = {
    "document.xml": b'<?xml version="1.0"?>\n<a b="c" d=\'e\'>f<g/><h>i</h></a>\n',
    "others.xml": b"<!DOCTYPE a [<!ELEMENT a (b)><![IGNORE[c]]><!-- d -->]>\n<!-- e --><?f g?><a><![CDATA[<c>]]></a>\n",
    "entities.xml": b'<a b="&lt;&quot;">&amp;&apos;&gt;&#65;&#x42;</a>\n',
}
