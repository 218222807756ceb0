// title: How well benchmarks cover a task
// group: Tasks and datasets
// param task: string             name or alias
// param limit: int = 20          rows at most
// returns: task, dataset, name, declared, papers, task_papers, share, first_year, last_year, paper, sentence
// note: Of the papers that address the task (task_papers), how many report results on the dataset (papers, share).
// note: declared: some paper calls it a benchmark for the task. Uncovered benchmarks show with 0 papers.
WITH left(toLower(trim($task)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)<-[r:ADDRESSES|BENCHMARK_FOR]-(x)
OPTIONAL MATCH (x)-[o:EVALUATED_ON]->(n:Dataset)
WHERE x:Paper
WITH t, r, x, o, n ORDER BY o IS NULL, coalesce(o.score, r.score) DESC, coalesce(o.id, r.id)
WITH t, count(DISTINCT CASE WHEN x:Paper THEN x.id END) AS task_papers,
     collect({dataset: CASE WHEN x:Dataset THEN x ELSE n END, declared: x:Dataset,
              paper: CASE WHEN x:Paper THEN x.id END, year: x.year, said: coalesce(o, r)}) AS found
UNWIND found AS f
WITH t, task_papers, f.dataset AS d, f.declared AS declared, f.paper AS p, f.year AS year, f.said AS s
WHERE d IS NOT NULL
WITH t, task_papers, d, max(CASE WHEN declared THEN 1 ELSE 0 END) = 1 AS declared, count(DISTINCT p) AS papers,
     min(year) AS first_year, max(year) AS last_year, collect({paper: s.paper, sentence: s.sentence})[0] AS best
RETURN t.name AS task, d.id AS dataset, d.name AS name, declared, papers, task_papers,
       round(1.0 * papers / CASE WHEN task_papers = 0 THEN 1 ELSE task_papers END, 4) AS share,
       first_year, last_year, best.paper AS paper, best.sentence AS sentence
ORDER BY papers DESC, declared DESC, dataset, t.id
LIMIT $limit;
