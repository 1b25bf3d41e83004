# SQL scripts as SQLite runs them: a table is made once, before it is used; columns are those of the table.

<start> ::= <create> <statement>*
<create> ::= 'CREATE TABLE t (' <column> (', ' <column>)* ');\n'
<column> ::= <column_name> ' ' <type> (' NOT NULL DEFAULT ' <literal>)?
<column_name> ::= r'c[a-z0-9]{1,2}'
<type> ::= 'INTEGER' | 'TEXT' | 'REAL' | 'BLOB'
<statement> ::= (<insert> | <select> | <update> | <delete> | <index>) ';\n'
<insert> ::= 'INSERT INTO t (' <used> ') VALUES (' <expression> ')' | 'INSERT INTO t DEFAULT VALUES'
<select> ::= 'SELECT ' 'DISTINCT '? <results> ' FROM t' <filter>? (' GROUP BY ' <used_value>)? <order>? <limit>?
<results> ::= '*' | <result> (', ' <result>)*
<result> ::= <value> | <aggregate> | <value> ' AS ' r'x[0-9]'
<aggregate> ::= ('sum' | 'min' | 'max' | 'avg' | 'count' | 'total') '(' 'DISTINCT '? <value> ')' | 'count(*)'
<update> ::= 'UPDATE t SET ' <used> ' = ' <value> <filter>?
<delete> ::= 'DELETE FROM t' <filter>?
<index> ::= 'CREATE INDEX IF NOT EXISTS i' <digit> ' ON t (' <used> ')'
<filter> ::= ' WHERE ' <condition>
<order> ::= ' ORDER BY ' <used_value> (' ASC' | ' DESC')?
<limit> ::= ' LIMIT ' r'[1-9][0-9]?' (' OFFSET ' <digit>)?
<condition> ::= <value> <comparison> <value> | <value> ' IS' ' NOT'? ' NULL' | 'NOT (' <condition> ')' \
    | '(' <condition> (' AND ' | ' OR ') <condition> ')' | <value> ' BETWEEN ' <value> ' AND ' <value> \
    | <value> ' IN (' <value> (', ' <value>)* ')' | <value> ' LIKE ' <text>
<comparison> ::= ' = ' | ' <> ' | ' < ' | ' <= ' | ' > ' | ' >= '
<value> ::= <used_value> | <literal> | '(' <value> <operator> <value> ')' | <function> '(' <value> ')' \
    | 'CASE WHEN ' <condition> ' THEN ' <value> ' ELSE ' <value> ' END' | 'coalesce(' <value> ', ' <value> ')'
<used_value> ::= <used>
<used> ::= <column_name>
<expression> ::= <literal> | '(' <literal> <operator> <literal> ')'
<operator> ::= ' + ' | ' - ' | ' * ' | ' / ' | ' % ' | ' || ' | ' & '
<function> ::= 'abs' | 'length' | 'upper' | 'lower' | 'typeof' | 'hex' | 'quote' | 'trim'
<literal> ::= <number> | <text> | 'NULL' | "x'" <two_hex>{0,4} "'"
<two_hex> ::= <hexdigit>{2}
<number> ::= '0' | r'-?[1-9][0-9]{0,3}' | r'[0-9]\.[0-9]{1,3}'
<text> ::= "'" (r'[ -&(-~]' | "''")* "'"

where forall <u> in <used>:
    exists <c> in <column>:
        str(<u>.<column_name>) == str(<c>.<column_name>)

where different([str(name) for name in *<create>.<column>.<column_name>])

# A default that is not null must be one.
where forall <c> in <column>:
    not str(<c>).endswith('NULL')

def different(names):
    return len(set(names)) == len(names)
