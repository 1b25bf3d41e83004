"""Seeds of the FlatBuffers harness: declarations, attributes, and a schema with JSON behind it."""

SEEDS: dict[str, bytes] = {
    "declarations.fbs": b"""namespace a.b; // c
attribute "d";
enum E : ubyte { F = 1, G }
struct S { x:float; y:[int:3]; }
union U { T }
table T { s:S; e:E = F; u:U; v:[string]; w:double = rad(180); }
rpc_service R { m(T):T; }
root_type T;
file_identifier "TTTT"; file_extension "t";
""",
    "attributes.fbs": b"table T (original_order) { a:int (id: 1, deprecated); /* b */ c:string (id: 0, required); }\n",
    "json.fbs": b"table T { a:int; b:[bool]; c:string; }\nroot_type T;\n{ a: 1, \"b\": [true, false], c: 'd\\n' }\n",
}
