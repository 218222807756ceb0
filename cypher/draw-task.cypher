// title: Draw a task's map
// group: To draw in Neo4j Browser
// param task: string             name or alias
// param limit: int = 50          edges around the task at most
// returns: task, relation, neighbour, statement, other
// note: The task, what is said of it, and what the papers that address it propose or are evaluated on. task-map gives
// note: the rows.
WITH left(toLower(trim($task)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)
MATCH (t)-[r:ADDRESSES|INTRODUCES|USED_FOR|BENCHMARK_FOR|SUBTASK_OF]-(x)
WITH t, r, x ORDER BY r.score DESC, r.id
LIMIT $limit
OPTIONAL MATCH (x)-[o:PROPOSES|EVALUATED_ON]->(y)
WHERE x:Paper
RETURN t AS task, r AS relation, x AS neighbour, o AS statement, y AS other
ORDER BY r.score DESC, r.id, coalesce(o.id, '');
