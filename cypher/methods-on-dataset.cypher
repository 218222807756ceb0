// title: Methods trained or evaluated on a dataset
// group: Tasks and datasets
// param dataset: string          name or alias
// param limit: int = 20          rows at most
// returns: dataset, method, name, relation, paper, sentence, score
// note: Stated of the method itself (EVALUATED_ON, TRAINED_ON), or proposed by a paper that is evaluated on the dataset
// note: (PROPOSES).
WITH left(toLower(trim($dataset)), 500) AS key
MATCH (:Name {key: key})-[:NAMES]->(d:Dataset)<-[r:EVALUATED_ON|TRAINED_ON]-(x)
OPTIONAL MATCH (x)-[o:PROPOSES]->(n:Method)
WITH d, CASE WHEN x:Method THEN x ELSE n END AS m, coalesce(o, r) AS s
WHERE m IS NOT NULL
WITH DISTINCT d, m, s
RETURN d.name AS dataset, m.id AS method, m.name AS name, type(s) AS relation,
       s.paper AS paper, s.sentence AS sentence, s.score AS score
ORDER BY score DESC, s.id, d.id
LIMIT $limit;
