/** The sample repository of the picture, which nobody has set up, and what its agent does: it plays a script. */
import type { DemoSample } from "../../src/records/demo.ts";
import { scriptedAgent } from "./scripted-agent.ts";

const TILL = "src/till.mjs";

const till = (sum: string) =>
  `/** What a customer pays. */\nexport function total(items) {\n  return items.reduce((sum, { price, count = 1 }) => ${sum}, 0);\n}\n`;

const CHECK = `import { total } from "../src/till.mjs";

const wanted = [
  [[{ price: 2, count: 3 }], 6],
  [[{ price: 50 }, { price: 1, count: 20 }], 70],
];
const wrong = wanted.filter(([items, sum]) => total(items) !== sum);
for (const [items, sum] of wrong) console.log(\`  total is \${total(items)}, expected \${sum}\`);
console.log(\`\${wanted.length - wrong.length} of \${wanted.length} passed\`);
process.exitCode = wrong.length === 0 ? 0 : 1;
`;

const manifest = (version: string) =>
  `${JSON.stringify({ name: "shop", version, type: "module", scripts: { test: "node test/till.mjs" } }, null, 2)}\n`;

/** Three pieces of work: an honest one, a stray edit, and a claim that is not true. */
export const SENTENCES = {
  count: "count how many of each item are bought",
  round: "round the total to whole cents",
  discount: "give ten percent off above 100",
} as const;

const STEPS = [
  {
    when: SENTENCES.count,
    says: "total() multiplies each price by its count.",
    writes: { [TILL]: till("sum + price * count") },
    costUsd: 0.0382,
  },
  {
    when: SENTENCES.round,
    says: "Rounded, and I raised the version while I was there.",
    writes: {
      [TILL]: till("Math.round((sum + price * count) * 100) / 100"),
      "package.json": manifest("2.0.0"),
    },
    costUsd: 0.0415,
  },
  {
    when: SENTENCES.discount,
    says: "Done. All tests pass.",
    writes: { [TILL]: till("sum + price * count * 0.9") },
    costUsd: 0.0409,
  },
];

/** `beside` the repository lies the agent, on the PATH of the recording. */
export function shopSample(node: string): DemoSample {
  return {
    repository: "shop",
    subject: "feat: a small shop",
    files: {
      "README.md": "# A small shop\n\nThe till is in src, its check in test.\n",
      "package.json": manifest("1.0.0"),
      [TILL]: till("sum + price"),
      "test/till.mjs": CHECK,
    },
    beside: { claude: scriptedAgent(node, STEPS) },
  };
}
