// title: Papers like this one
// group: Papers
// param paper: string            id of the paper
// param mentions: bool = false   also count what is only mentioned
// param limit: int = 20          rows at most
// returns: paper, title, year, similarity, shared, sentence
// note: The sum, over shared entities, of log(1 + papers in all / papers that mention the entity): rare ones weigh more.
// note: The sentence is the other paper's on the rarest of them.
WITH COUNT { (:Paper) } AS total
MATCH (p:Paper {id: $paper})-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH DISTINCT p, e, total
WITH p, e, log(1.0 + 1.0 * total / COUNT { (e)<-[:MENTIONS]-() }) AS weight
ORDER BY weight DESC, e.id
MATCH (e)<-[s:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]-(other:Paper)
WHERE other <> p AND ($mentions OR type(s) <> 'MENTIONS')
WITH DISTINCT p, e, weight, other
WITH p, other, round(sum(weight), 4) AS similarity
ORDER BY similarity DESC, other.id
LIMIT $limit
WITH p, collect({paper: other, similarity: similarity}) AS nearest
MATCH (p)-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH nearest, collect(DISTINCT e.id) AS own
UNWIND nearest AS near
WITH own, near.paper AS other, near.similarity AS similarity
MATCH (other)-[s:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE e.id IN own AND ($mentions OR type(s) <> 'MENTIONS')
WITH other, similarity, e, s ORDER BY type(s) = 'MENTIONS', s.score DESC, s.id
WITH other, similarity, e, collect(s.sentence)[0] AS sentence
WITH other, similarity, e, sentence, COUNT { (e)<-[:MENTIONS]-() } AS papers
ORDER BY papers, e.id
WITH other, similarity, collect(e.name) AS shared, collect(sentence)[0] AS sentence
RETURN other.id AS paper, other.title AS title, other.year AS year, similarity, shared, sentence
ORDER BY similarity DESC, paper
LIMIT $limit;
