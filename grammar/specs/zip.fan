# ZIP archives of stored files: sizes, CRCs, and a directory that says where each file is.

import struct
import zlib

<start> ::= <files> <directory> <end>
<files> ::= <file>{1,5}
<file> ::= b'PK\x03\x04\x0a\x00\x00\x00\x00\x00' <when> <crc> <size> <size_again> <name_length> b'\x00\x00' <name> <data>
<when> ::= <byte>{2} rb'[!-~]' rb'[!-~]'
<crc> ::= <byte>{4}
<size> ::= <byte> b'\x00\x00\x00'
<size_again> ::= <byte>{4}
<name_length> ::= rb'[\x01-\x14]' b'\x00'
<name> ::= rb'[a-z0-9_]'{number(<name_length>)}
<data> ::= <byte>{number(<size>)}
<directory> ::= <directory_entry>+
<directory_entry> ::= b'PK\x01\x02\x14\x00' <byte>{26} <attributes> <offset> rb'[a-z0-9_]+'
<attributes> ::= <byte>{10}
<offset> ::= <byte>{4}
<end> ::= b'PK\x05\x06\x00\x00\x00\x00' <count> <count_again> <directory_size> <directory_offset> <comment_length> <comment>
<count> ::= <byte>{2}
<count_again> ::= <byte>{2}
<directory_size> ::= <byte>{4}
<directory_offset> ::= <byte>{4}
<comment_length> ::= <byte>{2}
<comment> ::= rb'[ -~]{0,30}'

where forall <f> in <file>: bytes(<f>.<crc>) == struct.pack('<I', zlib.crc32(bytes(<f>.<data>)))
where forall <f> in <file>: bytes(<f>.<size_again>) == bytes(<f>.<size>)
where different([bytes(name) for name in *<files>.<file>.<name>])
where bytes(<directory>) == directory_of(bytes(<files>))
where bytes(<end>.<count>) == struct.pack('<H', len(*<files>.<file>))
where bytes(<end>.<count_again>) == struct.pack('<H', len(*<files>.<file>))
where bytes(<end>.<directory_size>) == struct.pack('<I', len(bytes(<directory>)))
where bytes(<end>.<directory_offset>) == struct.pack('<I', len(bytes(<files>)))
where bytes(<end>.<comment_length>) == struct.pack('<H', len(bytes(<end>.<comment>)))

def number(size):
    return int.from_bytes(bytes(size), 'little')

def directory_of(files):
    """An entry for each file: most of its header again, and where it is."""
    out = b''
    at = 0
    while at < len(files):
        size = struct.unpack('<I', files[at + 18:at + 22])[0]
        length = struct.unpack('<H', files[at + 26:at + 28])[0]
        out += b'PK\x01\x02\x14\x00' + files[at + 4:at + 30] + b'\x00' * 10 + struct.pack('<I', at)
        out += files[at + 30:at + 30 + length]
        at += 30 + length + size
    return out

def different(names):
    return len(set(names)) == len(names)
