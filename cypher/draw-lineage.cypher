// title: Draw the lineage of a method
// group: To draw in Neo4j Browser
// param method: string           name or alias
// param limit: int = 50          paths at most
// returns: path
// note: Paths of up to three steps, all upwards or all downwards. method-lineage gives the rows.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)
MATCH path = (m)-[:SUBCLASS_OF|PART_OF*1..3]-(:Method)
WITH path, relationships(path) AS steps, nodes(path) AS passed
WHERE all(i IN range(0, size(steps) - 1) WHERE startNode(steps[i]) = passed[i])
   OR all(i IN range(0, size(steps) - 1) WHERE endNode(steps[i]) = passed[i])
RETURN path
ORDER BY size(steps), [s IN steps | s.id]
LIMIT $limit;
