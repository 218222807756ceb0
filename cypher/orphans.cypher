// title: Papers and entities that nothing is said of
// group: Review
// param limit: int = 50          rows at most
// returns: id, type, name, status, papers, paper, sentence
// note: Papers without any entity, and entities that are mentioned but stand in no relation.
// scans: every node may be an orphan
MATCH (n:Paper|Method|Task|Dataset)
WHERE NOT EXISTS { (n)-[:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|TRAINED_ON|USED_FOR|PART_OF|SUBCLASS_OF|SUBTASK_OF|BENCHMARK_FOR]-() }
  AND NOT (n:Paper AND EXISTS { (n)-[:MENTIONS]->() })
WITH n ORDER BY labels(n)[0], n.id
LIMIT $limit
OPTIONAL MATCH (n)<-[r:MENTIONS]-(:Paper)
WITH n, r ORDER BY r.score DESC, r.id
WITH n, count(r) AS papers, collect({paper: r.paper, sentence: r.sentence})[0] AS best
RETURN n.id AS id, labels(n)[0] AS type, coalesce(n.name, n.title) AS name, n.status AS status, papers,
       best.paper AS paper, best.sentence AS sentence
ORDER BY type, id
LIMIT $limit;
