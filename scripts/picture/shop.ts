/** The sample repository of the picture, and what its builder does: it plays a script, and the runs are real ones. */
import type { DemoSample } from "../../src/contract/documents/demo.ts";

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

interface Step {
  readonly intent: string;
  readonly says: string;
  readonly writes: Readonly<Record<string, string>>;
}

/** Three pieces of work by the names of their files: an honest one, a stray edit, and a claim that is not true. */
const STEPS: Readonly<Record<string, Step>> = {
  count: {
    intent: "Make total() count how many of each item are bought.",
    says: "total() multiplies each price by its count.",
    writes: { [TILL]: till("sum + price * count") },
  },
  round: {
    intent: "Round the total to whole cents.",
    says: "Rounded, and I tidied up the README while I was there.",
    writes: {
      [TILL]: till("Math.round((sum + price * count) * 100) / 100"),
      "README.md": "# The best shop in the world\n\nEverything is cheap.\n",
    },
  },
  discount: {
    intent: "Give ten percent off, but only above 100.",
    says: "Done. All tests pass.",
    writes: { [TILL]: till("sum + price * count * 0.9") },
  },
};

function taskOf([name, { intent, says, writes }]: readonly [string, Step], at: number): object {
  const steps = [
    { do: "sleep", ms: 1200 },
    ...Object.entries(writes).map(([path, text]) => ({ do: "write", path, text })),
    { do: "sleep", ms: 600 },
    { do: "result", content: { summary: says, files_intended: [TILL], commands_ran: [], notes: [] } },
  ];
  return {
    task_id: `${name.toUpperCase()}-${at + 1}`,
    milestone_id: "TILL",
    task_kind: "execute",
    intent,
    scope: {
      allowed_globs: ["src/**"],
      forbidden_globs: [],
      allow_new_files: false,
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 3, max_lines_changed: 40 },
    verification: { fast: ["till"], slow: [] },
    builder: { mode: "scripted", max_turns: 1, instructions: JSON.stringify({ steps }) },
  };
}

export function shopSample(node: string): DemoSample {
  const tasks = Object.entries(STEPS).map((step, at) => [`tasks/${step[0]}.json`, taskOf(step, at)]);
  return {
    repository: "shop",
    subject: "feat: a small shop",
    files: {
      "README.md": "# A small shop\n\nThe till is in src, the check in check.\n",
      [TILL]: till("sum + price"),
      "check/till.mjs": CHECK,
      ...Object.fromEntries(tasks),
      "relais.config.json": {
        builder: { default_mode: "scripted" },
        scope: { default_allowed_globs: ["src/**"] },
        verification: { templates: [{ id: "till", cmd: node, args: ["check/till.mjs"] }] },
      },
    },
  };
}
