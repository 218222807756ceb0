// title: A paper's card
// group: Papers
// param paper: string            id of the paper
// param mentions: bool = true    also what it only mentions
// param limit: int = 100         rows at most
// returns: paper, title, year, venue, relation, entity, type, name, sentence, score
// note: Everything the paper says of itself, one row a statement; a mention is left out where a role says more.
MATCH (p:Paper {id: $paper})
OPTIONAL MATCH (p)-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE type(r) <> 'MENTIONS'
   OR ($mentions AND NOT (p)-[:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON]->(e))
RETURN p.id AS paper, p.title AS title, p.year AS year, p.venue AS venue, type(r) AS relation,
       e.id AS entity, labels(e)[0] AS type, e.name AS name, r.sentence AS sentence, r.score AS score
ORDER BY relation = 'MENTIONS', relation, score DESC, r.id
LIMIT $limit;
