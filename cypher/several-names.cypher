// title: Entities with several surface forms
// group: Review
// param limit: int = 20          rows at most
// returns: entity, type, name, aliases, papers, surface, paper, sentence
// note: Those with most aliases first, each with one sentence that names it otherwise than its canonical name.
// scans: every entity may have aliases
MATCH (e:Method|Task|Dataset)
WHERE size(e.aliases) > 0
WITH e ORDER BY size(e.aliases) DESC, e.id
LIMIT $limit
MATCH (e)<-[r:MENTIONS]-(:Paper)
WITH e, r, [s IN r.surfaces WHERE toLower(s) <> toLower(e.name)] AS others
ORDER BY size(others) = 0, r.score DESC, r.id
WITH e, count(r) AS papers, collect({surface: others[0], paper: r.paper, sentence: r.sentence})[0] AS best
RETURN e.id AS entity, labels(e)[0] AS type, e.name AS name, e.aliases AS aliases, papers,
       best.surface AS surface, best.paper AS paper, best.sentence AS sentence
ORDER BY size(e.aliases) DESC, entity
LIMIT $limit;
