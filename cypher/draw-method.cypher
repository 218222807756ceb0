// title: Draw the papers around a method
// group: To draw in Neo4j Browser
// param method: string           name or alias
// param mentions: bool = false   also papers that only mention it
// param limit: int = 50          edges at most
// returns: paper, relation, method
// note: Newest papers first. Nodes and edges for Browser to draw; papers-sharing-method gives the rows.
WITH left(toLower(trim($method)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(m:Method)<-[r:PROPOSES|USES|COMPARES_WITH|MENTIONS]-(p:Paper)
WHERE $mentions OR type(r) <> 'MENTIONS'
RETURN p AS paper, r AS relation, m AS method
ORDER BY coalesce(p.year, 0) DESC, p.id, r.score DESC, r.id
LIMIT $limit;
