"""Seeds of the JavaScript harness: one short script per group of features."""

SEEDS: dict[str, bytes] = {
    "objects.js": b'var o = {a: 1, "b": [2, 3], get c() { return this.a }}; o.b[1] + o.c;',
    "control.js": b"var i = 0; do { i++; if (i == 3) continue } while (i < 5); switch (i) { case 5: i = 0; default: }",
    "functions.js": b"(function f(x) { try { return x ? f(x - 1) : y } catch (e) { return e } finally { x = 1 } })(3)",
    "strings.js": b'"a,b".split(/,/).map(function (s) { return s.trim() }).join("\\u00e9") + JSON.stringify([1])',
}
