// title: The neighbourhood of an entity
// group: Entities
// param name: string             name or alias of a method, task or dataset
// param mentions: bool = false   also papers that only mention it
// param limit: int = 50          rows at most
// returns: entity, relation, direction, other, type, name, statements, paper, sentence, score
// note: One row a neighbour and relation, with the surest statement; neighbours stated most often come first.
WITH left(toLower(trim($name)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(e)
MATCH (e)-[r]-(o:Paper|Method|Task|Dataset)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH e, o, r, CASE WHEN endNode(r) = e THEN 'in' ELSE 'out' END AS direction ORDER BY r.score DESC, r.id
WITH e, o, direction, type(r) AS relation, count(r) AS statements,
     collect({paper: r.paper, sentence: r.sentence, score: r.score})[0] AS best
RETURN e.id AS entity, relation, direction, o.id AS other, labels(o)[0] AS type, coalesce(o.name, o.title) AS name,
       statements, best.paper AS paper, best.sentence AS sentence, best.score AS score
ORDER BY statements DESC, score DESC, entity, relation, direction, other
LIMIT $limit;
