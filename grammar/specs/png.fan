# PNG images: chunk lengths, CRCs, and a header that says what the image data has.
#
# A scanline is 24 bytes and one for the filter; the width follows from how many bits a pixel has, the height from how
# many scanlines there are.

import random
import struct
import zlib

<start> ::= <signature> (<plain_image> | <palette_image>) <iend>
<signature> ::= b'\x89PNG\r\n\x1a\n'
<plain_image> ::= <ihdr> <extra>* <idat>
<palette_image> ::= <palette_ihdr> <extra>* <plte> <idat>

<ihdr> ::= <length> b'IHDR' <ihdr_data> <crc>
<ihdr_data> ::= <width> <height> <pixel> b'\x00\x00\x00'
<pixel> ::= <depth> <colour>
<depth> ::= b'\x08' | b'\x10'
<colour> ::= b'\x00' | b'\x02' | b'\x04' | b'\x06'
<palette_ihdr> ::= <length> b'IHDR' <palette_ihdr_data> <crc>
<palette_ihdr_data> ::= <width> <height> <palette_pixel> b'\x00\x00\x00'
<palette_pixel> ::= <palette_depth> b'\x03'
<palette_depth> ::= b'\x01' | b'\x02' | b'\x04' | b'\x08'
<width> ::= <byte>{4}
<height> ::= <byte>{4}

<plte> ::= <length> b'PLTE' <colours> <crc>
<colours> ::= <rgb>{1,16}
<rgb> ::= <byte> <byte> <byte>
<extra> ::= <text> | <gamma> | <time>
<text> ::= <length> b'tEXt' <text_data> <crc>
<text_data> ::= rb'[A-Za-z]{1,20}' b'\x00' rb'[ -~]{0,40}'
<gamma> ::= <length> b'gAMA' <gamma_data> <crc>
<gamma_data> ::= b'\x00' <byte> <byte> <byte>
<time> ::= <length> b'tIME' <time_data> <crc>
<time_data> ::= b'\x07' <byte> rb'[\x01-\x0c]' rb'[\x01-\x1c]' rb'[\x00-\x17]' rb'[\x00-\x3b]' rb'[\x00-\x3b]'
<idat> ::= <length> b'IDAT' <idat_data> <crc>
<idat_data> ::= <byte>+ := image_data()
<iend> ::= b'\x00\x00\x00\x00IEND\xaeB`\x82'
<length> ::= <byte>{4}
<crc> ::= <byte>{4}

where forall <i> in <plain_image>:
    bytes(<i>.<ihdr>.<ihdr_data>.<height>) == height(bytes(<i>.<idat>.<idat_data>))
where forall <i> in <plain_image>:
    bytes(<i>.<ihdr>.<ihdr_data>.<width>) == width(bytes(<i>.<ihdr>.<ihdr_data>.<pixel>))
where forall <i> in <palette_image>:
    bytes(<i>.<palette_ihdr>.<palette_ihdr_data>.<height>) == height(bytes(<i>.<idat>.<idat_data>))
where forall <i> in <palette_image>:
    bytes(<i>.<palette_ihdr>.<palette_ihdr_data>.<width>) == width(bytes(<i>.<palette_ihdr>.<palette_ihdr_data>.<palette_pixel>))
# No more colours than a pixel can name.
where forall <i> in <palette_image>:
    len(bytes(<i>.<plte>.<colours>)) <= 3 * 2 ** bytes(<i>.<palette_ihdr>.<palette_ihdr_data>.<palette_pixel>)[0]

where forall <c> in <ihdr>: bytes(<c>.<length>) == length(bytes(<c>.<ihdr_data>))
where forall <c> in <ihdr>: bytes(<c>.<crc>) == crc(b'IHDR' + bytes(<c>.<ihdr_data>))
where forall <c> in <palette_ihdr>: bytes(<c>.<length>) == length(bytes(<c>.<palette_ihdr_data>))
where forall <c> in <palette_ihdr>: bytes(<c>.<crc>) == crc(b'IHDR' + bytes(<c>.<palette_ihdr_data>))
where forall <c> in <plte>: bytes(<c>.<length>) == length(bytes(<c>.<colours>))
where forall <c> in <plte>: bytes(<c>.<crc>) == crc(b'PLTE' + bytes(<c>.<colours>))
where forall <c> in <text>: bytes(<c>.<length>) == length(bytes(<c>.<text_data>))
where forall <c> in <text>: bytes(<c>.<crc>) == crc(b'tEXt' + bytes(<c>.<text_data>))
where forall <c> in <gamma>: bytes(<c>.<length>) == length(bytes(<c>.<gamma_data>))
where forall <c> in <gamma>: bytes(<c>.<crc>) == crc(b'gAMA' + bytes(<c>.<gamma_data>))
where forall <c> in <time>: bytes(<c>.<length>) == length(bytes(<c>.<time_data>))
where forall <c> in <time>: bytes(<c>.<crc>) == crc(b'tIME' + bytes(<c>.<time_data>))
where forall <c> in <idat>: bytes(<c>.<length>) == length(bytes(<c>.<idat_data>))
where forall <c> in <idat>: bytes(<c>.<crc>) == crc(b'IDAT' + bytes(<c>.<idat_data>))

def image_data():
    """Scanlines of random filters and bytes, compressed."""
    raw = bytearray()
    for _ in range(random.randint(1, 6)):
        raw.append(random.randint(0, 4))
        for _ in range(24):
            raw.append(random.randint(0, 255))
    return zlib.compress(bytes(raw))

def length(data):
    return struct.pack('>I', len(data))

def crc(data):
    return struct.pack('>I', zlib.crc32(data))

def height(data):
    return struct.pack('>I', len(zlib.decompress(data)) // 25)

def width(pixel):
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[pixel[1]]
    return struct.pack('>I', 24 * 8 // (pixel[0] * samples))
