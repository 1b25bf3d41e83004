"""Seeds of the TinyCC harness: declarations, statements, the preprocessor."""

SEEDS: dict[str, bytes] = {
    "declarations.c": b"typedef struct a { unsigned long b : 3; union { const char *c; double d[2]; }; } a;\n"
    b"enum e { F = 1, G }; static a h = { .b = 2, .d = { 1.5e3, 0x1p4 } };\n"
    b"extern int i(int, ...) __attribute__((aligned(8), section(\".j\")));\n",
    "statements.c": b"int k(int l, char **m) {\n  for (int n = 0; n < l; ++n) { if (!m[n]) continue; else break; }\n"
    b"  switch (l) { case 'o': l <<= 2; default: goto p; }\np:\n  do l--; while (l > 0 && sizeof(m) != 8);\n"
    b"  return l ? _Generic(l, int: 1, default: 2) : (unsigned char)~l;\n}\n",
    "preprocessor.c": b"#define Q(r, ...) #r r##s __VA_ARGS__ // t\n#if defined(Q) && !0\n#undef Q\n#elif __LINE__\n"
    b"#error u\n#else\n#endif\n#pragma pack(push, 1)\n#line 7 \"v\"\nchar *w = \"x\\n\" L\"y\"; /* z */\n",
}
