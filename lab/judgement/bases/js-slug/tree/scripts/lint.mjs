/** A small linter: forbidden words and long lines, but for ignored files and for lines after "lint-ignore". */
import { readdirSync, readFileSync } from "node:fs";

const { max_line, forbid } = JSON.parse(readFileSync("lint.config.json", "utf8"));
const ignored = readFileSync(".lintignore", "utf8").split("\n");
const findings = [];
for (const name of readdirSync("src").map((file) => `src/${file}`).filter((file) => !ignored.includes(file))) {
  const lines = readFileSync(name, "utf8").split("\n");
  lines.forEach((line, index) => {
    if (lines[index - 1]?.includes("lint-ignore")) return;
    if (line.length > max_line) findings.push(`${name}:${index + 1} too long`);
    for (const word of forbid) if (line.includes(word)) findings.push(`${name}:${index + 1} ${word}`);
  });
}
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
