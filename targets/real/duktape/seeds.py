"""Seeds of the Duktape harness: statements, expressions and literals."""

SEEDS: dict[str, bytes] = {
    "statements.js": b"for (var i = 0; i < 3; i++) { try { if (i) break; else throw i; } catch (e) { } } // end\n",
    "expressions.js": b"x = { get a() { return this; }, b: [1, 2.5e3, 'c'] }; y = x in f ? x ** 2 : new f(typeof x);\n",
    "literals.js": b'"use strict"; var r = /a(?:b|[^c])*d/gi, s = "\\u0041\\x42"; /* end */\n',
}
