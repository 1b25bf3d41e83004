# GIF images: sizes fit the image data, which is LZW that clears its table before codes grow beyond a byte.
#
# A block of image data is a clear code and 120 pixels of seven bits; an image is ten pixels wide.

<start> ::= 'GIF89a' <screen> <table> <block>* <image> <block>* b'\x3b'
<screen> ::= b'\x0a\x00' <screen_height> b'\xf6' <pixel> b'\x00'
<screen_height> ::= <byte> <byte>
<table> ::= <rgb>{128}
<rgb> ::= <byte> <byte> <byte>
<block> ::= <image> | <comment> | <application>
<comment> ::= b'\x21\xfe' <comment_part>* b'\x00'
<comment_part> ::= <part_length> <part_text>
<part_length> ::= rb'[\x01-\x3c]'
<part_text> ::= rb'[ -~]'{int.from_bytes(bytes(<part_length>), 'big')}
<application> ::= b'\x21\xff\x0bNETSCAPE2.0\x03\x01' <byte> <byte> b'\x00'
<image> ::= <control>? <descriptor> b'\x07' <pixels>+ b'\x01\x81\x00'
<control> ::= b'\x21\xf9\x04' rb'[\x00\x04\x08\x0c\x01\x05\x09\x0d]' <byte> <byte> <pixel> b'\x00'
<descriptor> ::= b'\x2c\x00\x00\x00\x00\x0a\x00' <height> rb'[\x00\x40]'
<height> ::= <byte> <byte>
<pixels> ::= b'\x79\x80' <pixel>{120}
<pixel> ::= rb'[\x00-\x7f]'

where forall <i> in <image>:
    bytes(<i>.<descriptor>.<height>) == (12 * len(*<i>.<pixels>)).to_bytes(2, 'little')
where bytes(<screen>.<screen_height>) == (12 * len(*<start>..<pixels>)).to_bytes(2, 'little')
