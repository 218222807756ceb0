// title: What a full-text search found
// group: Entities
// param ids: list                ids of papers and entities, as the full-text search gives them
// param limit: int = 20          rows at most
// returns: rank, id, type, name, papers, paper, sentence
// note: Takes over where the full-text search ends: its hits, in its order, with the papers that mention each entity and
// note: the surest sentence.
UNWIND range(0, size($ids) - 1) AS i
WITH i, $ids[i] AS id
OPTIONAL MATCH (p:Paper {id: id})
OPTIONAL MATCH (m:Method {id: id})
OPTIONAL MATCH (t:Task {id: id})
OPTIONAL MATCH (d:Dataset {id: id})
WITH i, id, coalesce(p, m, t, d) AS n
WHERE n IS NOT NULL
OPTIONAL MATCH (n)<-[r:PROPOSES|INTRODUCES|MENTIONS]-(q:Paper)
WITH i, n, r, q ORDER BY type(r) = 'MENTIONS', r.score DESC, r.id
WITH i, n, count(DISTINCT q) AS papers, collect({paper: r.paper, sentence: r.sentence})[0] AS best
RETURN i + 1 AS rank, n.id AS id, labels(n)[0] AS type, coalesce(n.name, n.title) AS name, papers,
       CASE WHEN n:Paper THEN n.id ELSE best.paper END AS paper, best.sentence AS sentence
ORDER BY rank
LIMIT $limit;
