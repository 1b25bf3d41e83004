"""Seeds of the SQLite harness: queries, changes and definitions."""

SEEDS: dict[str, bytes] = {
    "select.sql": b"SELECT DISTINCT a, count(*) AS c FROM t LEFT JOIN t AS u USING (a) WHERE t.b >= 1.5e3 AND a NOT LIKE 'd%' "
    b'OR u.b IN (SELECT ?1 UNION ALL VALUES (x\'00\')) GROUP BY "a" HAVING c <> 2 ORDER BY 1 DESC LIMIT 3;\n',
    "change.sql": b"INSERT OR IGNORE INTO t(a) VALUES (1), (NULL); UPDATE t SET a = a || 'e' -- f\n; DELETE FROM t WHERE b;\n",
    "define.sql": b"CREATE TABLE IF NOT EXISTS g(h INTEGER PRIMARY KEY, i TEXT DEFAULT 'j' CHECK (length(i) < 9)) STRICT; "
    b"CREATE UNIQUE INDEX k ON t(a COLLATE nocase); WITH l AS (SELECT 1) SELECT sum(a) OVER (PARTITION BY b) FROM t;\n",
}
