# Chunks: length, kind, content, CRC-32 of all that, lowest byte first.
import struct
import zlib

<start> ::= <chunk>+
<chunk> ::= <counted> <crc>
<counted> ::= <length> <kind> <content>
<length> ::= <byte><byte>
<kind> ::= b'HEAD' | b'DATA' | b'MORE' | b'TAIL' | b'NOTE' | b'VOID'
<content> ::= <byte>{0,12}
<crc> ::= <byte><byte><byte><byte>

where forall <c> in <counted>:
    bytes(<c>.<length>) == struct.pack('>H', len(bytes(<c>.<content>)))

where forall <c> in <chunk>:
    bytes(<c>.<crc>) == struct.pack('<I', zlib.crc32(bytes(<c>.<counted>)))
