# DNS messages (RFC 1035): section counts, label lengths and data lengths are right.

import struct

# Where something ends follows from its length or count alone, so that comes first and the rest from it.
<start> ::= <header> <question>{number(<question_count>)} <answer>{number(<answer_count>)} <authority>{number(<authority_count>)}
<header> ::= <id> <flags> <question_count> <answer_count> <authority_count> b'\x00\x00'
<id> ::= <byte> <byte>
<flags> ::= <bit> <opcode> <bit> <bit> <bit> <bit> 0 <bit> <bit> <rcode>
<opcode> ::= 0 0 0 0 | 0 0 0 1 | 0 0 1 0
<rcode> ::= 0 <bit> <bit> <bit>
<question_count> ::= b'\x00' rb'[\x00-\x03]'
<answer_count> ::= b'\x00' rb'[\x00-\x04]'
<authority_count> ::= b'\x00' rb'[\x00-\x02]'
<question> ::= <domain> <type> <class>
<answer> ::= <record>
<authority> ::= <record>
<type> ::= b'\x00' rb'[\x01\x02\x05\x06\x0c\x0f\x10\x1c\xff]'
<class> ::= b'\x00\x01' | b'\x00\x03'
<domain> ::= <label>{0,4} b'\x00'
<label> ::= <label_length> <label_text>
<label_length> ::= rb'[\x01-\x18]'
<label_text> ::= rb'[a-z0-9]'{number(<label_length>)}
<record> ::= <a> | <aaaa> | <name_record> | <mx> | <txt>
<a> ::= <domain> b'\x00\x01' <class> <ttl> b'\x00\x04' <byte>{4}
<aaaa> ::= <domain> b'\x00\x1c' <class> <ttl> b'\x00\x10' <byte>{16}
<name_record> ::= <domain> b'\x00' rb'[\x02\x05\x0c]' <class> <ttl> <data_length> <domain_data>
<domain_data> ::= <domain>
<mx> ::= <domain> b'\x00\x0f' <class> <ttl> <data_length> <mx_data>
<mx_data> ::= <byte> <byte> <domain>
<txt> ::= <domain> b'\x00\x10' <class> <ttl> <data_length> <txt_data>
<txt_data> ::= <string>
<string> ::= <string_length> <string_text>
<string_length> ::= rb'[\x00-\x28]'
<string_text> ::= rb'[ -~]'{number(<string_length>)}
<ttl> ::= b'\x00' <byte>{3}
<data_length> ::= <byte> <byte>

where forall <r> in <name_record>: bytes(<r>.<data_length>) == struct.pack('>H', len(bytes(<r>.<domain_data>)))
where forall <r> in <mx>: bytes(<r>.<data_length>) == struct.pack('>H', len(bytes(<r>.<mx_data>)))
where forall <r> in <txt>: bytes(<r>.<data_length>) == struct.pack('>H', len(bytes(<r>.<txt_data>)))

def number(count):
    return int.from_bytes(bytes(count), 'big')
