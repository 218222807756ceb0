// title: Methods never applied to a task, but to its neighbours
// group: Tasks and datasets
// param task: string             name or alias
// param near: int = 20           nearest tasks to look at
// param limit: int = 20          rows at most
// returns: task, method, name, neighbours, papers, neighbour, paper, sentence, score
// note: Neighbours: tasks above, below or beside it (SUBTASK_OF), addressed by a paper together with it, or sharing a
// note: benchmark; those with most such ties are nearest. Never applied: not used for the task, and named by no paper
// note: that addresses it.
WITH left(toLower(trim($task)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)
MATCH (t)-[:SUBTASK_OF|ADDRESSES|BENCHMARK_FOR*1..2]-(n:Task)
WHERE n <> t
WITH t, n, count(*) AS ties ORDER BY ties DESC, n.id, t.id
LIMIT $near
MATCH (n)<-[r:USED_FOR|ADDRESSES]-(x)
OPTIONAL MATCH (x)-[o:PROPOSES|USES]->(y:Method)
WITH t, n, CASE WHEN x:Method THEN x ELSE y END AS m, coalesce(o, r) AS s
WHERE m IS NOT NULL
WITH t, n, m, s ORDER BY s.score DESC, s.id
WITH t, m, count(DISTINCT n) AS neighbours, count(DISTINCT s.paper) AS papers,
     collect({task: n.name, paper: s.paper, sentence: s.sentence, score: s.score})[0] AS best
WHERE NOT EXISTS { (m)-[:USED_FOR]->(t) }
  AND NOT EXISTS { (m)<-[:MENTIONS]-(:Paper)-[:ADDRESSES]->(t) }
RETURN t.name AS task, m.id AS method, m.name AS name, neighbours, papers,
       best.task AS neighbour, best.paper AS paper, best.sentence AS sentence, best.score AS score
ORDER BY neighbours DESC, papers DESC, method, t.id
LIMIT $limit;
