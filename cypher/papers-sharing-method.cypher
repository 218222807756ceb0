// title: Papers that share a method
// group: Methods
// param method: string           name or alias
// param mentions: bool = false   also papers that only mention it
// param limit: int = 20          rows at most
// returns: method, paper, title, year, relation, sentence, score
// note: One row a statement, newest papers first.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)<-[r:PROPOSES|USES|COMPARES_WITH|MENTIONS]-(p:Paper)
WHERE $mentions OR type(r) <> 'MENTIONS'
RETURN m.name AS method, p.id AS paper, p.title AS title, p.year AS year,
       type(r) AS relation, r.sentence AS sentence, r.score AS score
ORDER BY coalesce(year, 0) DESC, paper, score DESC, r.id
LIMIT $limit;
