// title: The newest methods, by year
// group: Methods
// param since: int               first year to show
// param limit: int = 20          rows at most
// returns: year, method, name, paper, title, sentence, score
// note: A method counts as new in the first year in which a paper proposes it. Papers without a year are left out.
MATCH (p:Paper)
WHERE p.year >= $since
MATCH (p)-[:PROPOSES]->(m:Method)
WITH DISTINCT m
MATCH (m)<-[r:PROPOSES]-(q:Paper)
WHERE q.year IS NOT NULL
WITH m, r, q ORDER BY q.year, r.score DESC, r.id
WITH m, collect({year: q.year, paper: q.id, title: q.title, sentence: r.sentence, score: r.score})[0] AS first
WHERE first.year >= $since
RETURN first.year AS year, m.id AS method, m.name AS name, first.paper AS paper, first.title AS title,
       first.sentence AS sentence, first.score AS score
ORDER BY year DESC, score DESC, method
LIMIT $limit;
