"""Seeds of the serd harness: directives, every kind of term, and graphs."""

SEEDS: dict[str, bytes] = {
    "terms.ttl": b"@prefix a: <http://a/> .\n@base <http://b/> .\n"
    b'a:c a a:d ; a:e "f"@en , \'g\'^^a:h , """i\nj""" , -1.5e3 , true . # k\n',
    "blank.ttl": b"PREFIX l: <m>\n[ l:n ( 1 _:o [] ) ] l:p false .\n[ == l:q ; l:r 2 ] l:s '''t''' .\n",
    "graphs.trig": b"GRAPH <u> { <v> <w> <x> . }\n{ <y> <z> 1.0 }\n",
}
