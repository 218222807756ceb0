// title: Methods that bridge two tasks
// group: Tasks and datasets
// param first: string            name or alias of a task
// param second: string           name or alias of another
// param limit: int = 20          rows at most
// returns: method, name, papers, first_paper, first_sentence, second_paper, second_sentence
// note: A method serves a task when it is used for it, or when a paper that addresses the task proposes or uses it.
// note: papers counts those that speak for either side; the surest statement of each side is shown.
UNWIND [{side: 1, key: left(toLower(trim($first)), 500)}, {side: 2, key: left(toLower(trim($second)), 500)}] AS asked
WITH asked.side AS side, asked.key AS key
MATCH (:Name {key: key})-[:NAMES]->(t:Task)<-[r:USED_FOR|ADDRESSES]-(x)
OPTIONAL MATCH (x)-[o:PROPOSES|USES]->(n:Method)
WITH side, CASE WHEN x:Method THEN x ELSE n END AS m, coalesce(o, r) AS s
WHERE m IS NOT NULL
WITH side, m, s ORDER BY s.score DESC, s.id
WITH side, m, collect(DISTINCT s.paper) AS papers, collect({paper: s.paper, sentence: s.sentence})[0] AS best
ORDER BY side
WITH m, collect({best: best, papers: papers}) AS sides
WHERE size(sides) = 2
WITH m, sides[0] AS one, sides[1] AS two
RETURN m.id AS method, m.name AS name,
       size(one.papers) + size([p IN two.papers WHERE NOT p IN one.papers]) AS papers,
       one.best.paper AS first_paper, one.best.sentence AS first_sentence,
       two.best.paper AS second_paper, two.best.sentence AS second_sentence
ORDER BY papers DESC, method
LIMIT $limit;
