// title: Low-confidence edges to review
// group: Review
// param below: float = 0.5       scores below this
// param relation: string = ''    one relation type, or nothing for all of them
// param limit: int = 50          rows at most
// returns: score, head, relation, tail, paper, sentence, start, end, edge
// note: The least sure first. Mentions are left out unless asked for by relation.
// scans: every edge has a score
MATCH (h:Paper|Method|Task|Dataset)-[r]->(t:Method|Task|Dataset)
WHERE r.score < $below AND (type(r) = toUpper($relation) OR ($relation = '' AND type(r) <> 'MENTIONS'))
RETURN r.score AS score, h.id AS head, type(r) AS relation, t.id AS tail, r.paper AS paper, r.sentence AS sentence,
       r.start AS start, r.end AS end, r.id AS edge
ORDER BY score, edge
LIMIT $limit;
