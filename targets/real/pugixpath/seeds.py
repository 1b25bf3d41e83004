"""Seeds of the XPath harness: paths, operators and functions."""

SEEDS: dict[str, bytes] = {
    "path.xpath": b"/a//b/@c | ../d[2]/following-sibling::e:*[. = 'f']/text()",
    "operators.xpath": b"1 + 2 * -3.5 div 4 mod 5 >= count(//a) and not(\"b\" != 'c') or 6 < 7",
    "functions.xpath": b"concat(substring-after(string(.), ':'), normalize-space(processing-instruction('a')))",
}
