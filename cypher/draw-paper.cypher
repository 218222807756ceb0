// title: Draw what a paper says
// group: To draw in Neo4j Browser
// param paper: string            id of the paper
// param mentions: bool = false   also what it only mentions
// param limit: int = 100         edges at most
// returns: paper, relation, entity, statement, other
// note: Everything the paper relates to, and the statements it makes between those entities. paper-card gives the rows.
MATCH (p:Paper {id: $paper})-[r:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|MENTIONS]->(e)
WHERE $mentions OR type(r) <> 'MENTIONS'
OPTIONAL MATCH (e)-[s:COMPARES_WITH|EVALUATED_ON|TRAINED_ON|USED_FOR|PART_OF|SUBCLASS_OF|SUBTASK_OF|BENCHMARK_FOR]->(o)
WHERE s.paper = p.id
RETURN p AS paper, r AS relation, e AS entity, s AS statement, o AS other
ORDER BY r.score DESC, r.id, coalesce(s.id, '')
LIMIT $limit;
