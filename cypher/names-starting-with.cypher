// title: Names that start with these letters
// group: Entities
// param prefix: string           the first letters of a name or alias
// param limit: int = 20          rows at most
// returns: name, entity, type, canonical, papers
// note: To find the spelling to ask with; the full-text search finds words in the middle of names, too.
WITH toLower(trim($prefix)) AS start
MATCH (n:Name)
WHERE n.key STARTS WITH start
MATCH (n)-[:NAMES]->(e)
WITH e, min(n.key) AS name
RETURN name, e.id AS entity, labels(e)[0] AS type, e.name AS canonical,
       COUNT { (e)<-[:MENTIONS]-() } AS papers
ORDER BY name, entity
LIMIT $limit;
