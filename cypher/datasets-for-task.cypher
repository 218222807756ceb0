// title: Datasets for a task
// group: Tasks and datasets
// param task: string             name or alias
// param limit: int = 20          rows at most
// returns: task, dataset, name, papers, paper, relation, sentence, score
// note: A dataset is called a benchmark for the task (BENCHMARK_FOR), or a paper that addresses the task reports results
// note: on it (EVALUATED_ON). One row a statement; datasets that most papers speak for come first.
WITH left(toLower(trim($task)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)<-[r:BENCHMARK_FOR|ADDRESSES]-(x)
OPTIONAL MATCH (x)-[o:EVALUATED_ON]->(n:Dataset)
WITH t, CASE WHEN x:Dataset THEN x ELSE n END AS d, coalesce(o, r) AS s
WHERE d IS NOT NULL
WITH t, d, collect(DISTINCT s) AS said, count(DISTINCT s.paper) AS papers
UNWIND said AS s
RETURN t.name AS task, d.id AS dataset, d.name AS name, papers,
       s.paper AS paper, type(s) AS relation, s.sentence AS sentence, s.score AS score
ORDER BY papers DESC, dataset, score DESC, s.id
LIMIT $limit;
