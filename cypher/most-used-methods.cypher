// title: The most used methods
// group: Methods
// param since: int = 0           papers of this year and later; 0 for all
// param limit: int = 20          rows at most
// returns: method, name, papers, first_year, last_year, paper, sentence, score
// note: Papers that propose or use it, counted once each; the surest statement is shown.
// scans: every method is counted before the most used are known
MATCH (m:Method)<-[r:PROPOSES|USES]-(p:Paper)
WHERE $since = 0 OR p.year >= $since
WITH m, p, r ORDER BY r.score DESC, r.id
WITH m, count(DISTINCT p) AS papers, min(p.year) AS first_year, max(p.year) AS last_year,
     collect({paper: p.id, sentence: r.sentence, score: r.score})[0] AS best
RETURN m.id AS method, m.name AS name, papers, first_year, last_year,
       best.paper AS paper, best.sentence AS sentence, best.score AS score
ORDER BY papers DESC, method
LIMIT $limit;
