// title: The graph in figures
// group: Graph
// param limit: int = 50          rows at most
// returns: kind, name, count, papers, mean_score
// note: Nodes a label, then edges a type with the papers that state them and their mean score.
// scans: everything is counted
MATCH (n:Paper|Method|Task|Dataset)
WITH labels(n)[0] AS label, count(n) AS nodes ORDER BY label
WITH collect({kind: 'node', name: label, count: nodes}) AS nodes
OPTIONAL MATCH (:Paper|Method|Task|Dataset)-[r]->(:Method|Task|Dataset)
WITH nodes, type(r) AS type, count(r) AS edges, count(DISTINCT r.paper) AS papers, round(avg(r.score), 4) AS mean
ORDER BY type
WITH nodes, collect({kind: 'edge', name: type, count: edges, papers: papers, mean: mean}) AS edges
UNWIND nodes + [e IN edges WHERE e.name IS NOT NULL] AS row
RETURN row.kind AS kind, row.name AS name, row.count AS count, row.papers AS papers, row.mean AS mean_score
ORDER BY kind DESC, name
LIMIT $limit;
