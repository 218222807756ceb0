// title: The evidence of a triple
// group: Graph
// param head: string             a paper's id, or the name or alias of an entity
// param tail: string             name or alias of an entity
// param relation: string = ''    one relation type, or nothing for all of them
// param limit: int = 20          rows at most
// returns: head, relation, tail, paper, sentence, start, end, score, extractor, edge
// note: start and end are offsets into the paper's abstract as it was read. Both directions of a relation are looked at.
WITH left(toLower(trim($tail)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t)
WITH t, left(toLower(trim($head)), 500) AS key
OPTIONAL MATCH (p:Paper {id: $head})
OPTIONAL MATCH (:Name {key: key})-[:NAMES]->(e)
WITH t, coalesce(p, e) AS h
WHERE h IS NOT NULL
MATCH (h)-[r]-(t)
WHERE NOT type(r) IN ['NAMES'] AND ($relation = '' OR type(r) = toUpper($relation))
RETURN startNode(r).id AS head, type(r) AS relation, endNode(r).id AS tail, r.paper AS paper, r.sentence AS sentence,
       r.start AS start, r.end AS end, r.score AS score, r.extractor AS extractor, r.id AS edge
ORDER BY relation = 'MENTIONS', score DESC, edge
LIMIT $limit;
