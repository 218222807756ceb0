// title: Papers that compare with a method
// group: Methods
// param method: string           name or alias
// param limit: int = 20          rows at most
// returns: method, paper, title, year, proposes, sentence, score
// note: Newest papers first, with what each of them proposes.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)<-[r:COMPARES_WITH]-(p:Paper)
OPTIONAL MATCH (p)-[:PROPOSES]->(o:Method)
WITH DISTINCT m, r, p, o.name AS own ORDER BY own
WITH m, r, p, collect(own) AS proposes
RETURN m.name AS method, p.id AS paper, p.title AS title, p.year AS year, proposes,
       r.sentence AS sentence, r.score AS score
ORDER BY coalesce(year, 0) DESC, paper, score DESC, r.id
LIMIT $limit;
