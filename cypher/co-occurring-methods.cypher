// title: Methods that occur together
// group: Methods
// param method: string           name or alias
// param mentions: bool = false   also papers that only mention one of them
// param limit: int = 20          rows at most
// returns: method, other, name, papers, jaccard, paper, sentence, other_sentence
// note: jaccard is the papers with both over the papers with either. The paper shown is the one that is surest of both.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)<-[r:PROPOSES|USES|COMPARES_WITH|MENTIONS]-(p:Paper)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH m, p, r ORDER BY type(r) = 'MENTIONS', r.score DESC, r.id
WITH m, p, collect({sentence: r.sentence, score: r.score})[0] AS own
WITH m, collect({paper: p, own: own}) AS found, count(p) AS papers_of_method
UNWIND found AS f
WITH m, papers_of_method, f.paper AS p, f.own AS own
MATCH (p)-[r:PROPOSES|USES|COMPARES_WITH|MENTIONS]->(o:Method)
WHERE o <> m AND ($mentions OR type(r) <> 'MENTIONS')
WITH m, papers_of_method, p, own, o, r ORDER BY type(r) = 'MENTIONS', r.score DESC, r.id
WITH m, papers_of_method, p, own, o, collect({sentence: r.sentence, score: r.score})[0] AS its
WITH m, papers_of_method, p, own, o, its ORDER BY own.score * its.score DESC, p.id
WITH m, papers_of_method, o, count(p) AS papers,
     collect({paper: p.id, sentence: own.sentence, other: its.sentence})[0] AS best
ORDER BY papers DESC, o.id
LIMIT $limit
MATCH (o)<-[r:PROPOSES|USES|COMPARES_WITH|MENTIONS]-(q:Paper)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH m, papers_of_method, o, papers, best, count(DISTINCT q) AS papers_of_other
RETURN m.name AS method, o.id AS other, o.name AS name, papers,
       round(1.0 * papers / (papers_of_method + papers_of_other - papers), 4) AS jaccard,
       best.paper AS paper, best.sentence AS sentence, best.other AS other_sentence
ORDER BY papers DESC, other, method
LIMIT $limit;
