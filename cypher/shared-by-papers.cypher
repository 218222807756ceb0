// title: What two papers share
// group: Papers
// param first: string            id of a paper
// param second: string           id of another
// param mentions: bool = false   also what either only mentions
// param limit: int = 20          rows at most
// returns: entity, type, name, papers, first_relation, first_sentence, second_relation, second_sentence
// note: What fewest papers mention comes first: sharing it says most. Of several statements the surest is shown.
MATCH (:Paper {id: $first})-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE $mentions OR type(r) <> 'MENTIONS'
WITH e, r ORDER BY type(r) = 'MENTIONS', r.score DESC, r.id
WITH e, collect({relation: type(r), sentence: r.sentence})[0] AS best
WITH collect({id: e.id, relation: best.relation, sentence: best.sentence}) AS said
MATCH (:Paper {id: $second})-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE $mentions OR type(r) <> 'MENTIONS'
UNWIND said AS first
WITH e, r, first
WHERE first.id = e.id
WITH e, r, first ORDER BY type(r) = 'MENTIONS', r.score DESC, r.id
WITH e, first, collect({relation: type(r), sentence: r.sentence})[0] AS second
RETURN e.id AS entity, labels(e)[0] AS type, e.name AS name, COUNT { (e)<-[:MENTIONS]-() } AS papers,
       first.relation AS first_relation, first.sentence AS first_sentence,
       second.relation AS second_relation, second.sentence AS second_sentence
ORDER BY papers, entity
LIMIT $limit;
