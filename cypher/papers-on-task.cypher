// title: Papers on a task
// group: Tasks and datasets
// param task: string             name or alias
// param subtasks: bool = false   also papers on its subtasks
// param limit: int = 20          rows at most
// returns: task, paper, title, year, relation, proposes, sentence, score
// note: Papers that address or introduce the task, newest first, with the methods they propose.
WITH left(toLower(trim($task)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)
MATCH (t)<-[:SUBTASK_OF*0..2]-(n:Task)
WHERE $subtasks OR n = t
WITH DISTINCT n
MATCH (n)<-[r:ADDRESSES|INTRODUCES]-(p:Paper)
OPTIONAL MATCH (p)-[:PROPOSES]->(o:Method)
WITH DISTINCT n, r, p, o.name AS own ORDER BY own
WITH n, r, p, collect(own) AS proposes
RETURN n.name AS task, p.id AS paper, p.title AS title, p.year AS year, type(r) AS relation, proposes,
       r.sentence AS sentence, r.score AS score
ORDER BY coalesce(year, 0) DESC, paper, score DESC, r.id
LIMIT $limit;
