// title: Entities that may be duplicates
// group: Review
// param limit: int = 50          rows at most
// returns: spelling, type, entity, name, papers, paper, sentence
// note: Entities of one type whose names differ only in case, spaces, hyphens or a final s. `kg merge` makes them one.
// note: What a person split off one paper's use to is not listed.
// scans: every name is compared with every other
MATCH (e:Method|Task|Dataset)
WHERE size(split(e.id, '-@-')) = 1
WITH e, replace(replace(replace(toLower(e.name), '-', ''), ' ', ''), '_', '') AS bare
WITH e, CASE WHEN bare ENDS WITH 's' THEN left(bare, size(bare) - 1) ELSE bare END AS spelling
WITH labels(e)[0] AS type, spelling, collect(e) AS entities
WHERE size(entities) > 1
WITH type, spelling, entities ORDER BY spelling, type
LIMIT $limit
UNWIND entities AS e
OPTIONAL MATCH (e)<-[r:MENTIONS]-(:Paper)
WITH type, spelling, e, r ORDER BY r.score DESC, r.id
WITH type, spelling, e, count(r) AS papers, collect({paper: r.paper, sentence: r.sentence})[0] AS best
RETURN spelling, type, e.id AS entity, e.name AS name, papers, best.paper AS paper, best.sentence AS sentence
ORDER BY spelling, type, papers DESC, entity
LIMIT $limit;
