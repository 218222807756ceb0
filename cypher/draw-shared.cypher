// title: Draw what two papers share
// group: To draw in Neo4j Browser
// param first: string            id of a paper
// param second: string           id of another
// param mentions: bool = false   also what either only mentions
// param limit: int = 50          pairs of edges at most
// returns: first_paper, first_relation, entity, second_relation, second_paper
// note: shared-by-papers gives the rows.
MATCH (a:Paper {id: $first})-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE $mentions OR type(r) <> 'MENTIONS'
MATCH (e)<-[s:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]-(b:Paper {id: $second})
WHERE $mentions OR type(s) <> 'MENTIONS'
RETURN a AS first_paper, r AS first_relation, e AS entity, s AS second_relation, b AS second_paper
ORDER BY r.score * s.score DESC, r.id, s.id
LIMIT $limit;
