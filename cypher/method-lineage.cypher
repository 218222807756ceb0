// title: The lineage of a method
// group: Methods
// param method: string           name or alias
// param limit: int = 50          rows at most
// returns: method, direction, depth, head, relation, tail, paper, sentence, score
// note: What it is a kind or a part of, and so on upwards (up), and what is a kind or a part of it (down), three steps
// note: each way. One row a statement, at its shortest distance.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)
MATCH path = (m)-[:SUBCLASS_OF|PART_OF*1..3]-(:Method)
WITH m, relationships(path) AS steps, nodes(path) AS passed
WITH m, steps, last(steps) AS s,
     all(i IN range(0, size(steps) - 1) WHERE startNode(steps[i]) = passed[i]) AS up,
     all(i IN range(0, size(steps) - 1) WHERE endNode(steps[i]) = passed[i]) AS down
WHERE up OR down
WITH m, s, CASE WHEN up THEN 'up' ELSE 'down' END AS direction, min(size(steps)) AS depth
RETURN m.name AS method, direction, depth, startNode(s).name AS head, type(s) AS relation, endNode(s).name AS tail,
       s.paper AS paper, s.sentence AS sentence, s.score AS score
ORDER BY direction DESC, depth, score DESC, s.id, m.id
LIMIT $limit;
