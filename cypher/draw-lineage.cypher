// title: Draw the lineage of a method
// group: To draw in Neo4j Browser
// param method: string           name or alias
// param limit: int = 50          edges at most
// returns: method, relation, other
// note: What it is a kind or a part of, what is a kind or a part of it, and one step further from each, nearest first.
// note: method-lineage gives the rows, by direction.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)
MATCH (m)-[s:SUBCLASS_OF|PART_OF]-(n:Method)
WITH m, s, n ORDER BY s.score DESC, s.id
LIMIT $limit
WITH m, collect(DISTINCT s) AS near, collect(DISTINCT n) AS reached
UNWIND reached AS n
OPTIONAL MATCH (n)-[s:SUBCLASS_OF|PART_OF]-(o:Method)
WHERE NOT s IN near AND (startNode(s) = n) = any(r IN near WHERE startNode(r) = m AND endNode(r) = n)
WITH near, s ORDER BY s.score DESC, s.id
WITH near, collect(DISTINCT s) AS far
WITH near + far AS edges
UNWIND range(0, size(edges) - 1) AS i
WITH i, edges[i] AS s
RETURN startNode(s) AS method, s AS relation, endNode(s) AS other
ORDER BY i
LIMIT $limit;
