// title: Draw the shortest evidence paths between two papers
// group: To draw in Neo4j Browser
// param first: string            id of a paper
// param second: string           id of another
// param limit: int = 5           paths at most
// returns: path
// note: Of paths equally short, those whose statements are surest together. evidence-path gives the steps of the first.
MATCH (a:Paper {id: $first})
MATCH (b:Paper {id: $second})
WHERE a <> b
MATCH path = allShortestPaths((a)-[:PROPOSES|INTRODUCES|USES|COMPARES_WITH|ADDRESSES|EVALUATED_ON|TRAINED_ON|USED_FOR|PART_OF|SUBCLASS_OF|SUBTASK_OF|BENCHMARK_FOR*..6]-(b))
WITH path, relationships(path) AS steps
RETURN path
ORDER BY reduce(product = 1.0, s IN steps | product * s.score) DESC, [s IN steps | s.id]
LIMIT $limit;
