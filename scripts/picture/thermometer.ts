/** The sample of the scene with a tree: the builder takes a goal apart, gets a part wrong, reads why, and mends it. */
import { join } from "node:path";
import type { DemoSample } from "../../src/records/demo.ts";

const GUARD = `import { existsSync } from "node:fs";

const wanted = { fahrenheit: [100, 212], celsius: [212, 100] };
for (const [name, [given, expected]] of Object.entries(wanted)) {
  const path = new URL(\`src/\${name}.mjs\`, import.meta.url);
  if (!existsSync(path)) continue;
  const found = (await import(path)).convert(given);
  if (found === expected) continue;
  console.log(\`\${name}: \${given} is \${expected}, not \${found}\`);
  process.exitCode = 1;
}
`;

/** It decides by what it is asked and told alone, the way an agent does, and takes its time. */
const BUILDER = `import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { RELAIS_DROP, RELAIS_PROMPT_PATH, RELAIS_RESULT_PATH, RELAIS_TASK_PATH } = process.env;
const leaf = JSON.parse(readFileSync(RELAIS_TASK_PATH, "utf8")).task_id.replace("node:", "");
const say = (status, summary) => writeFileSync(RELAIS_RESULT_PATH, JSON.stringify({ status, summary }));
const node = (id, order, title) => ({
  id, order, title, goal: \`\${title} in src/\${id}.mjs\`, acceptance: ["the guard is green"],
  passes: false, attempts: 0, max_attempts: 3, children: [],
});

await new Promise((resolve) => setTimeout(resolve, 1500));
if (leaf === "root") {
  const tree = JSON.parse(readFileSync(\`\${RELAIS_DROP}/tree.json\`, "utf8"));
  tree.root.children = [node("fahrenheit", 1, "Turn Celsius into Fahrenheit"), node("celsius", 2, "And back")];
  writeFileSync(\`\${RELAIS_DROP}/tree.json\`, JSON.stringify(tree));
  say("decomposed", "One part for each direction.");
} else {
  const hasFailed = readFileSync(RELAIS_PROMPT_PATH, "utf8").includes("STOP_GUARD_FAILED");
  const formula = leaf === "celsius" ? "((degrees - 32) * 5) / 9" : \`(degrees * 9) / 5\${hasFailed ? " + 32" : ""}\`;
  mkdirSync("src", { recursive: true });
  writeFileSync(\`src/\${leaf}.mjs\`, \`export const convert = (degrees) => \${formula};\\n\`);
  say("done", \`\${leaf} works.\`);
}
`;

export function thermometerSample(folder: string, node: string): DemoSample {
  return {
    repository: "thermometer",
    subject: "feat: a thermometer",
    files: {
      "README.md": "# A thermometer\n\nThe guard is check.mjs.\n",
      "check.mjs": GUARD,
      "relais/GOAL.md": "# A thermometer that knows two scales\n\nTurn degrees of Celsius into Fahrenheit, and back.\n",
      "script.json": { steps: [{ do: "run", argv: [node, join(folder, "builders/tree.mjs")] }] },
      "relais.config.json": {
        builder: { default_mode: "scripted", scripted: { script: "script.json" } },
        tree: { guard: [node, "check.mjs"] },
      },
    },
    beside: { "builders/tree.mjs": BUILDER },
  };
}
