/** docs/promises.md: every promise with the tests that show it, from lab/promises.json. */
import { readFileSync } from "node:fs";
import { writeRows } from "./write-rows.ts";

type Promises = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const BEGINNING = `# Every promise, and the test that shows it

<!-- Written by \`npm run generate\` from lab/promises.json. -->

After \`:\` comes the title of the test, or of its table. A test looks up every file and every title of this page.
[limits.md](limits.md) is what is not promised.

\`\`\`sh
npx vitest run FILE -t "TITLE"      # in a clone of relais
\`\`\`
`;

export function promisesPage(): string {
  const promises: Promises = JSON.parse(readFileSync("lab/promises.json", "utf8"));
  const parts = Object.entries(promises).map(([about, shown]) => `\n## ${about}\n\n${drawPart(shown)}\n`);
  return BEGINNING + parts.join("");
}

function drawPart(shown: Readonly<Record<string, readonly string[]>>): string {
  return writeRows(
    ["promise", "shown by"],
    Object.entries(shown).map(([promise, tests]) => [promise, tests.map((name) => `\`${name}\``).join(", ")]),
  );
}
