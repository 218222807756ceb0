// title: An entity's card
// group: Entities
// param name: string             name or alias of a method, task or dataset
// param limit: int = 20          rows at most
// returns: entity, type, name, aliases, ambiguous, papers, first_year, last_year, proposed_by, paper, sentence
// note: One row an entity of that name: a short form may name several. The sentence is that of the paper which proposes
// note: or introduces it, else of the first that mentions it.
WITH left(toLower(trim($name)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(e)
MATCH (e)<-[r:PROPOSES|INTRODUCES|MENTIONS]-(p:Paper)
WITH e, r, p ORDER BY type(r) = 'MENTIONS', coalesce(p.year, 9999), r.score DESC, r.id
WITH e, count(DISTINCT p) AS papers, min(p.year) AS first_year, max(p.year) AS last_year,
     collect(DISTINCT CASE WHEN type(r) <> 'MENTIONS' THEN p.id END) AS proposed_by,
     collect({paper: p.id, sentence: r.sentence})[0] AS best
RETURN e.id AS entity, labels(e)[0] AS type, e.name AS name, e.aliases AS aliases, e.ambiguous AS ambiguous, papers,
       first_year, last_year, proposed_by, best.paper AS paper, best.sentence AS sentence
ORDER BY papers DESC, entity
LIMIT $limit;
