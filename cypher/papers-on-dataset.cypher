// title: Papers on a dataset
// group: Tasks and datasets
// param dataset: string          name or alias
// param mentions: bool = false   also papers that only mention it
// param limit: int = 20          rows at most
// returns: dataset, paper, title, year, relation, proposes, sentence, score
// note: Papers that introduce it or report results on it, newest first, with the methods they propose.
WITH left(toLower(trim($dataset)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(d:Dataset)<-[r:INTRODUCES|EVALUATED_ON|MENTIONS]-(p:Paper)
WHERE $mentions OR type(r) <> 'MENTIONS'
OPTIONAL MATCH (p)-[:PROPOSES]->(o:Method)
WITH DISTINCT d, r, p, o.name AS own ORDER BY own
WITH d, r, p, collect(own) AS proposes
RETURN d.name AS dataset, p.id AS paper, p.title AS title, p.year AS year, type(r) AS relation, proposes,
       r.sentence AS sentence, r.score AS score
ORDER BY coalesce(year, 0) DESC, paper, score DESC, r.id
LIMIT $limit;
