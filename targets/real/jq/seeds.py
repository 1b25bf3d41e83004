"""Seeds of the jq harness: paths, definitions and control."""

SEEDS: dict[str, bytes] = {
    "paths.jq": b'.a.b[0]?, .["c"] | map(. + 1) // "none"\n',
    "definitions.jq": b"def f($x; g): reduce .[] as [$a, {b: $c}] (0; . + $a * $c); f(1; .) # end\n",
    "control.jq": b'if .a == 1 and .b then "x\\(.c)y" elif . then @base64 else try error("e") catch . end\n',
}
