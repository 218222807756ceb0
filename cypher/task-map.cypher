// title: A task's map
// group: Tasks and datasets
// param task: string             name or alias
// param limit: int = 10          entries at most of each kind
// returns: task, kind, id, name, papers, relation, paper, sentence, score
// note: Papers that address it, methods used for it or proposed by those papers, datasets that measure it or that those
// note: papers are evaluated on, tasks above and below. What most papers speak for comes first.
WITH left(toLower(trim($task)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)
MATCH (t)-[r:ADDRESSES|INTRODUCES|USED_FOR|BENCHMARK_FOR|SUBTASK_OF]-(x)
OPTIONAL MATCH (x)-[o:PROPOSES|EVALUATED_ON]->(y)
WHERE x:Paper
WITH t, collect({node: x, said: r}) + collect({node: y, said: o}) AS found
UNWIND found AS f
WITH t, f.node AS n, f.said AS s
WHERE n IS NOT NULL
WITH DISTINCT t, n, s ORDER BY s.score DESC, s.id
WITH t, n, count(DISTINCT s.paper) AS papers,
     collect({relation: type(s), paper: s.paper, sentence: s.sentence, score: s.score})[0] AS best
ORDER BY papers DESC, best.score DESC, n.id
WITH t, labels(n)[0] AS kind, collect({node: n, papers: papers, best: best})[..$limit] AS entries
UNWIND entries AS e
RETURN t.name AS task, kind, e.node.id AS id, coalesce(e.node.name, e.node.title) AS name, e.papers AS papers,
       e.best.relation AS relation, e.best.paper AS paper, e.best.sentence AS sentence, e.best.score AS score
ORDER BY kind, papers DESC, score DESC, id, t.id;
