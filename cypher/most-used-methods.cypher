// title: The most used methods
// group: Methods
// param since: int = 0           papers of this year and later; 0 for all
// param limit: int = 20          rows at most
// returns: method, name, papers, first_year, last_year, paper, sentence, score
// note: Papers that propose or use it, counted once each; the surest statement is shown.
// scans: every method is counted before the most used are known
MATCH (m:Method)<-[:PROPOSES|USES]-(p:Paper)
WHERE $since = 0 OR p.year >= $since
WITH m, count(DISTINCT p) AS papers, min(p.year) AS first_year, max(p.year) AS last_year
ORDER BY papers DESC, m.id
LIMIT $limit
MATCH (m)<-[r:PROPOSES|USES]-(p:Paper)
WHERE $since = 0 OR p.year >= $since
WITH m, papers, first_year, last_year, p.id AS paper, r.sentence AS sentence, r.score AS score, r.id AS edge
ORDER BY score DESC, edge
WITH m, papers, first_year, last_year, collect({paper: paper, sentence: sentence, score: score})[0] AS best
RETURN m.id AS method, m.name AS name, papers, first_year, last_year,
       best.paper AS paper, best.sentence AS sentence, best.score AS score
ORDER BY papers DESC, method
LIMIT $limit;
