// title: The lineage of a method
// group: Methods
// param method: string           name or alias
// param limit: int = 50          rows at most
// returns: method, direction, depth, head, relation, tail, paper, sentence, score
// note: What it is a kind or a part of, and so on upwards (up), and what is a kind or a part of it (down), three steps
// note: each way. One row a statement, at its shortest distance.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)
UNWIND ['up', 'down'] AS direction
OPTIONAL MATCH (m)-[s:SUBCLASS_OF|PART_OF]-(:Method)
WHERE (startNode(s) = m) = (direction = 'up')
WITH m, direction, s ORDER BY s.score DESC, s.id
WITH m, direction, collect(DISTINCT s)[..$limit] AS first
UNWIND CASE WHEN size(first) = 0 THEN [null] ELSE first END AS s
WITH DISTINCT m, direction, first, CASE direction WHEN 'up' THEN endNode(s) ELSE startNode(s) END AS n
OPTIONAL MATCH (n)-[s:SUBCLASS_OF|PART_OF]-(:Method)
WHERE (startNode(s) = n) = (direction = 'up') AND NOT s IN first
WITH m, direction, first, s ORDER BY s.score DESC, s.id
WITH m, direction, first, collect(DISTINCT s)[..$limit] AS second
UNWIND CASE WHEN size(second) = 0 THEN [null] ELSE second END AS s
WITH DISTINCT m, direction, first, second, CASE direction WHEN 'up' THEN endNode(s) ELSE startNode(s) END AS n
OPTIONAL MATCH (n)-[s:SUBCLASS_OF|PART_OF]-(:Method)
WHERE (startNode(s) = n) = (direction = 'up') AND NOT s IN first AND NOT s IN second
WITH m, direction, first, second, s ORDER BY s.score DESC, s.id
WITH m, direction, first, second, collect(DISTINCT s)[..$limit] AS third
UNWIND [{depth: 1, said: first}, {depth: 2, said: second}, {depth: 3, said: third}] AS level
UNWIND level.said AS s
WITH m, direction, s, min(level.depth) AS depth
RETURN m.name AS method, direction, depth, startNode(s).name AS head, type(s) AS relation, endNode(s).name AS tail,
       s.paper AS paper, s.sentence AS sentence, s.score AS score
ORDER BY depth, direction DESC, score DESC, s.id, m.id
LIMIT $limit;
