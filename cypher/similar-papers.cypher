// title: Papers like this one
// group: Papers
// param paper: string            id of the paper
// param mentions: bool = false   also count what is only mentioned
// param limit: int = 20          rows at most
// returns: paper, title, year, similarity, shared, sentence
// note: The sum, over shared entities, of log(1 + papers in all / papers that mention the entity): rare ones weigh more.
// note: The sentence is the other paper's on the rarest of them.
MATCH (q:Paper)
WITH count(q) AS total
MATCH (p:Paper {id: $paper})-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH DISTINCT p, e, log(1.0 + 1.0 * total / COUNT { (e)<-[:MENTIONS]-() }) AS weight
MATCH (e)<-[s:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]-(other:Paper)
WHERE other <> p AND ($mentions OR type(s) <> 'MENTIONS')
WITH e, weight, other, s ORDER BY type(s) = 'MENTIONS', s.score DESC, s.id
WITH e, weight, other, collect(s.sentence)[0] AS sentence
ORDER BY weight DESC, e.id
WITH other, sum(weight) AS similarity, collect(e.name) AS shared, collect(sentence)[0] AS sentence
RETURN other.id AS paper, other.title AS title, other.year AS year,
       round(similarity, 4) AS similarity, shared, sentence
ORDER BY similarity DESC, paper
LIMIT $limit;
