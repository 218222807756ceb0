// title: Names that stand for several things
// group: Review
// param limit: int = 50          rows at most
// returns: name, entity, type, canonical, ambiguous, papers, paper, sentence
// note: One row an entity of the name. ambiguous: the resolver itself holds the entity's short form to be unsafe.
// scans: every name may stand for several entities
MATCH (n:Name)-[:NAMES]->(e)
WITH n.key AS key, e ORDER BY key, e.id
WITH key, collect(e) AS entities
WHERE size(entities) > 1
WITH entities, min(key) AS name
ORDER BY size(entities) DESC, name
LIMIT $limit
UNWIND entities AS e
MATCH (e)<-[r:MENTIONS]-(:Paper)
WITH name, size(entities) AS many, e, r ORDER BY r.score DESC, r.id
WITH name, many, e, count(r) AS papers, collect({paper: r.paper, sentence: r.sentence})[0] AS best
RETURN name, e.id AS entity, labels(e)[0] AS type, e.name AS canonical, e.ambiguous AS ambiguous, papers,
       best.paper AS paper, best.sentence AS sentence
ORDER BY many DESC, name, entity
LIMIT $limit;
