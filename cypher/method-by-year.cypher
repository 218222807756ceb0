// title: A method's use by year
// group: Methods
// param method: string           name or alias
// param mentions: bool = false   also papers that only mention it
// param limit: int = 50          rows at most
// returns: method, year, papers, proposes, uses, compares, paper, sentence
// note: Papers are counted once each; one that both proposes and compares counts in both columns. Papers without a year
// note: come last. The sentence is the year's surest.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)<-[r:PROPOSES|USES|COMPARES_WITH|MENTIONS]-(p:Paper)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH m, p, r ORDER BY type(r) = 'MENTIONS', r.score DESC, r.id
WITH m, p.year AS year, count(DISTINCT p) AS papers,
     count(DISTINCT CASE WHEN type(r) = 'PROPOSES' THEN p.id END) AS proposes,
     count(DISTINCT CASE WHEN type(r) = 'USES' THEN p.id END) AS uses,
     count(DISTINCT CASE WHEN type(r) = 'COMPARES_WITH' THEN p.id END) AS compares,
     collect({paper: p.id, sentence: r.sentence})[0] AS best
RETURN m.name AS method, year, papers, proposes, uses, compares, best.paper AS paper, best.sentence AS sentence
ORDER BY coalesce(year, 9999), m.id
LIMIT $limit;
