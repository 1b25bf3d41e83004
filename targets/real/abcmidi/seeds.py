"""Seeds of the abc harness: a header, notes, and directives."""

SEEDS: dict[str, bytes] = {
    "header.abc": b'X:1\nT:a\nM:6/8\nL:1/8\nQ:"b" 1/4=120\nV:1 clef=treble name="c"\nU:T=!d!\nK:Gm octave=1 ^f\n',
    "notes.abc": b'X:2\nM:C|\nK:C\n|:"G7"A2B/ c\'>d,|(3efg [CEG]2 z4-|1 .A~B:|2 '
    b'!f! {ab}^c__d=e (fg)|]\n[K:D bass+8] Z2 x y||\nw: e-f *\n',
    "directives.abc": b"%%MidiOn\n%%begintext\na\n%%endtext\n% b\nX:3\nK:none\n",
}
