/**
 * The second act: a goal as a tree. The builder takes it apart, gets the first part wrong, reads what the guard said
 * about it, mends it and finishes.
 *
 * The builder plays a script whose one step starts the program below. It decides by what it is asked and told alone,
 * the way an agent does.
 */
import { join } from "node:path";
import * as v from "valibot";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { Tree } from "../../contract/workflows/tree.ts";
import type { Claim, Seen } from "./demo-act.ts";
import { commandAct } from "./demo-command-act.ts";

const GOAL = `# A thermometer that knows two scales

Turn degrees of Celsius into Fahrenheit, and the other way round.
`;

const GUARD = `import { strictEqual } from "node:assert";
import { existsSync } from "node:fs";

const wanted = { fahrenheit: [100, 212], celsius: [212, 100] };
for (const [name, [given, expected]] of Object.entries(wanted)) {
  const path = new URL(\`src/\${name}.mjs\`, import.meta.url);
  if (existsSync(path)) strictEqual((await import(path)).convert(given), expected);
}
`;

const BUILDER = `// Stands in for an agent: it looks at its task and its prompt, edits files and leaves a result.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { RELAIS_DROP, RELAIS_PROMPT_PATH, RELAIS_RESULT_PATH, RELAIS_TASK_PATH } = process.env;
const leaf = JSON.parse(readFileSync(RELAIS_TASK_PATH, "utf8")).task_id.replace("node:", "");
const prompt = readFileSync(RELAIS_PROMPT_PATH, "utf8");
const say = (status, summary) => writeFileSync(RELAIS_RESULT_PATH, JSON.stringify({ status, summary }));
const node = (id, order, title) => ({
  id, order, title, goal: \`\${title} in src/\${id}.mjs\`, acceptance: ["the guard is green"],
  passes: false, attempts: 0, max_attempts: 3, children: [],
});

if (leaf === "root") {
  const tree = JSON.parse(readFileSync(\`\${RELAIS_DROP}/tree.json\`, "utf8"));
  tree.root.children = [node("fahrenheit", 1, "Turn Celsius into Fahrenheit"), node("celsius", 2, "And back")];
  writeFileSync(\`\${RELAIS_DROP}/tree.json\`, JSON.stringify(tree));
  say("decomposed", "One part for each direction.");
} else {
  // The first attempt forgets where the scale begins; the second one has read what became of the first.
  const sum = prompt.includes("STOP_GUARD_FAILED") ? "(degrees * 9) / 5 + 32" : "(degrees * 9) / 5";
  const formula = leaf === "fahrenheit" ? sum : "((degrees - 32) * 5) / 9";
  mkdirSync("src", { recursive: true });
  writeFileSync(\`src/\${leaf}.mjs\`, \`export const convert = (degrees) => \${formula};\\n\`);
  say("done", \`\${leaf} works.\`);
}
`;

/** The leaves below the root, with what is known about each; none where the tree cannot be read. */
function leavesIn({ read }: Seen): Readonly<Record<string, string>> {
  const tree = parseWith(v.pipe(v.string(), v.parseJson(), Tree), read("relais/tree.json"));
  if (tree.kind === "invalid") return {};
  const { root } = tree.value;
  const words = [root, ...root.children].map(({ id, passes, attempts }) => {
    return [id, `${passes ? "passes" : "open"}, ${attempts} failed`] as const;
  });
  return Object.fromEntries(words);
}

function isTree(seen: Seen, wanted: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(leavesIn(seen)) === JSON.stringify(wanted);
}

const claim = (words: string, isTrue: boolean): Claim => ({ words, isTrue });
const clean = ({ status }: Seen): Claim => claim("git status is clean", status.length === 0);

/** That the newest commits tell of these iterations, and of no other. */
function iterated({ subjects }: Seen, ...iterations: readonly string[]): Claim {
  const told = subjects.flatMap((subject) => /^chore\(loop\): run \S+ iter (.*)$/.exec(subject)?.[1] ?? []);
  const words = iterations.map((iteration) => `"iter ${iteration}"`).join(" and ");
  return claim(`there is a commit for ${words}`, told.slice(-iterations.length).join() === iterations.join());
}

const relais = (...args: readonly string[]) => ({ program: "relais", args }) as const;
const git = (...args: readonly string[]) => ({ program: "git", args }) as const;

export const treeAct = commandAct({
  id: "tree",
  title: "A goal as a tree",
  about:
    "A goal that is too large for one step becomes a tree of nodes. Each iteration takes the leftmost open leaf: the " +
    "builder takes it apart, or does it. A leaf passes only if something changed, the builder says that it is done, " +
    "and the guard is green. Every iteration is a commit, the failed ones too.",
  repository: "thermometer",
  next: [
    { command: "../relais tree show", explains: "the tree as it is now" },
    { command: "git log --stat", explains: "one commit for each iteration" },
    { command: "../relais history show", explains: "everything about the last one" },
  ],
  sample: ({ folder, node }) => ({
    files: {
      "README.md": "# A thermometer\n\nThe guard is check.mjs.\n",
      "check.mjs": GUARD,
      "relais/GOAL.md": GOAL,
      "script.json": { steps: [{ do: "run", argv: [node, join(folder, "builders/tree.mjs")] }] },
      "relais.config.json": {
        builder: { default_mode: "scripted", scripted: { script: "script.json" } },
        tree: { guard: [node, "check.mjs"] },
      },
    },
    beside: { "builders/tree.mjs": BUILDER },
    subject: "feat: a thermometer",
  }),
  steps: [
    {
      id: "begin",
      title: "The goal gets a tree with its root",
      about:
        "The goal stands in relais/GOAL.md. An iteration begins on a clean tree, so what is new is committed.",
      commands: [
        relais("tree", "init"),
        git("add", "--all"),
        git("commit", "--quiet", "--message", "chore: a goal to work on"),
        relais("tree", "select", "--why"),
      ],
      claims: (seen) => [
        claim("the root is the one open leaf", isTree(seen, { root: "open, 0 failed" })),
        clean(seen),
      ],
    },
    {
      id: "decompose",
      title: "The builder takes the goal apart",
      about:
        "It edits its copy of the tree. Relais checks the proposal and writes the tree itself; no guard is run.",
      commands: [relais("tree", "step"), relais("tree", "show")],
      claims: (seen) => [
        claim(
          "the root has two open leaves",
          isTree(seen, { root: "open, 0 failed", fahrenheit: "open, 0 failed", celsius: "open, 0 failed" }),
        ),
        iterated(seen, "0001 node root decompose guard=skipped"),
        clean(seen),
      ],
    },
    {
      id: "fail",
      title: "The first leaf is wrong, and the guard says so",
      about: "The builder forgets that the scale begins at 32, and says that it is done.",
      commands: [relais("tree", "step")],
      claims: (seen) => [
        claim(
          "the leaf is open, and one failed attempt is counted",
          isTree(seen, { root: "open, 0 failed", fahrenheit: "open, 1 failed", celsius: "open, 0 failed" }),
        ),
        iterated(seen, "0002 node fahrenheit execute guard=fail"),
        clean(seen),
      ],
    },
    {
      id: "finish",
      title: "It is mended, and the rest is done",
      about:
        "What the guard said stands in the next prompt. The builder reads it there, and goes on to the other leaf.",
      commands: [relais("tree", "run"), relais("tree", "show")],
      claims: (seen) => [
        claim(
          "every leaf passes, and so does the root",
          isTree(seen, {
            root: "passes, 0 failed",
            fahrenheit: "passes, 1 failed",
            celsius: "passes, 0 failed",
          }),
        ),
        iterated(seen, "0003 node fahrenheit execute guard=pass", "0004 node celsius execute guard=pass"),
        claim(
          "src/fahrenheit.mjs knows the 32 by now",
          seen.read("src/fahrenheit.mjs")?.includes("+ 32") === true,
        ),
        clean(seen),
      ],
    },
  ],
});
