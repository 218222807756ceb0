// title: The shortest evidence path between two papers
// group: Papers
// param first: string            id of a paper
// param second: string           id of another
// param limit: int = 12          rows at most
// returns: step, head, head_name, relation, tail, tail_name, paper, sentence, score
// note: One row a step, up to six steps over everything but mentions. Of paths equally short, the one whose statements
// note: are surest together (the product of their scores) is shown.
MATCH (a:Paper {id: $first})
MATCH (b:Paper {id: $second})
WHERE a <> b
MATCH path = allShortestPaths((a)-[:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|TRAINED_ON|USED_FOR|PART_OF|SUBCLASS_OF|SUBTASK_OF|BENCHMARK_FOR*..6]-(b))
WITH relationships(path) AS steps
WITH steps, reduce(product = 1.0, s IN steps | product * s.score) AS sure, [s IN steps | s.id] AS ids
ORDER BY sure DESC, ids
LIMIT 1
UNWIND range(0, size(steps) - 1) AS i
WITH i, steps[i] AS s
RETURN i + 1 AS step, startNode(s).id AS head, coalesce(startNode(s).name, startNode(s).title) AS head_name,
       type(s) AS relation, endNode(s).id AS tail, endNode(s).name AS tail_name,
       s.paper AS paper, s.sentence AS sentence, s.score AS score
ORDER BY step
LIMIT $limit;
