"""Seeds of the libcgraph harness: graphs with attributes, ports and subgraphs."""

SEEDS: dict[str, bytes] = {
    "digraph.dot": b'strict digraph "a" {\n  graph [b=c]; node [d="e" + "f", g=1.5]\n  h -> i:j:n -> k [key=l]; // m\n}\n',
    "graph.dot": b"# n\ngraph {\n  edge [o=<p<q>>]\n  r -- { s, t } -- subgraph u { v } /* w */\n  x = -.5\n}\n",
}
