"""Seeds of the YAML parser: mappings and lists in both styles, scalars of every kind, directives."""

SEEDS: dict[str, bytes] = {
    "block.yaml": b"%YAML 1.1\n---\na: [1, 'b', \"c\\n\"]\nd: # e\n  - &f g\n  - *f\n...\n",
    "flow.yaml": b"{? a : !!str b, c: !<d> e}\n",
    "scalars.yaml": b"a: |+\n  b\n\nc: >-\n  d\n",
}
