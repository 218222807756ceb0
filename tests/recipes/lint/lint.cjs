// Lints queries with Neo4j's own parser and semantic analysis, in Cypher 5 and in Cypher 25.
// Standard input: {"schema": {labels, relationshipTypes, propertyKeys}, "queries": [{"name", "cypher", "parameters"}]}.
// Standard output: one JSON array of {"name", "version", "line", "severity", "message"}; empty when all is well.
const { readFileSync } = require("node:fs");
const { lintCypherQuery } = require("@neo4j-cypher/language-support");

const { schema, queries } = JSON.parse(readFileSync(0, "utf8"));
const SEVERITY = { 1: "error", 2: "warning", 3: "information", 4: "hint" };
const found = [];
for (const { name, cypher, parameters } of queries) {
  for (const version of ["5", "25"]) {
    const text = `CYPHER ${version}\n${cypher}`;
    for (const { range, severity, message } of lintCypherQuery(text, { ...schema, parameters }).diagnostics) {
      found.push({ name, version, line: range.start.line, severity: SEVERITY[severity], message });
    }
  }
}
console.log(JSON.stringify(found));
