"""Seeds of the rasqal harness: queries of every kind, expressions and updates."""

SEEDS: dict[str, bytes] = {
    "select.rq": b"PREFIX a: <http://a/>\nSELECT DISTINCT ?b (COUNT(?c) AS ?d) WHERE { ?b a:e ?c ; a a:f . "
    b"OPTIONAL { ?b <g> 'h'@en } FILTER (?c > 1.5 && !bound(?i)) } GROUP BY ?b ORDER BY DESC(?b) LIMIT 10\n",
    "construct.rq": b"CONSTRUCT { ?a <b> _:c } WHERE { { ?a <d> \"e\"^^<f> } UNION { GRAPH ?g { ?a <h> 1 } } "
    b"BIND(substr(str(?a), 2) AS ?i) }\n",
    "update.ru": b"INSERT DATA { <a> <b> true }\n",
}
