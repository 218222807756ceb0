// title: Who compares with whom
// group: Methods
// param method: string           name or alias
// param limit: int = 20          rows at most
// returns: method, other, name, statements, papers, paper, sentence, score
// note: Methods compared with this one in so many words (Method - Method), or by the paper that proposes it or them
// note: (the paper proposes the one and compares with the other). One row a method, with the surest statement.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)
MATCH (m)-[r:COMPARES_WITH|PROPOSES]-(x:Method|Paper)
OPTIONAL MATCH (x)-[o:COMPARES_WITH|PROPOSES]->(n:Method)
WHERE x:Paper AND n <> m AND (type(r) = 'COMPARES_WITH') <> (type(o) = 'COMPARES_WITH')
WITH m, CASE WHEN x:Method THEN x ELSE n END AS other,
     CASE WHEN type(r) = 'COMPARES_WITH' THEN r ELSE o END AS s
WHERE other IS NOT NULL AND s IS NOT NULL
WITH DISTINCT m, other, s ORDER BY s.score DESC, s.id
WITH m, other, count(s) AS statements, count(DISTINCT s.paper) AS papers,
     collect({paper: s.paper, sentence: s.sentence, score: s.score})[0] AS best
RETURN m.name AS method, other.id AS other, other.name AS name, statements, papers,
       best.paper AS paper, best.sentence AS sentence, best.score AS score
ORDER BY papers DESC, statements DESC, other, method
LIMIT $limit;
