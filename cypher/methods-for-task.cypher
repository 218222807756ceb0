// title: Methods for a task, and the papers that say so
// group: Tasks and datasets
// param task: string             name or alias
// param limit: int = 20          rows at most
// returns: task, method, name, papers, paper, relation, sentence, score
// note: A method is used for the task (USED_FOR), or proposed by a paper that addresses it (PROPOSES). One row a
// note: statement; methods that most papers speak for come first.
WITH left(toLower(trim($task)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)<-[r:USED_FOR|ADDRESSES]-(x)
OPTIONAL MATCH (x)-[o:PROPOSES]->(n:Method)
WITH t, CASE WHEN x:Method THEN x ELSE n END AS m, coalesce(o, r) AS s
WHERE m IS NOT NULL
WITH t, m, collect(DISTINCT s) AS said, count(DISTINCT s.paper) AS papers
UNWIND said AS s
RETURN t.name AS task, m.id AS method, m.name AS name, papers,
       s.paper AS paper, type(s) AS relation, s.sentence AS sentence, s.score AS score
ORDER BY papers DESC, method, score DESC, s.id
LIMIT $limit;
