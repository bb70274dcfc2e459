/**
 * The third act: a goal, its worker and its reviewers. The first turn leaves something out, and one reviewer approves
 * it with evidence that does not exist; a person gives the goal more turns, and the second one reaches it.
 *
 * Everybody plays a script whose one step starts the program below. It decides by what it finds and is told alone.
 */
import { join } from "node:path";
import type { Claim, Seen } from "./demo-act.ts";
import { commandAct } from "./demo-command-act.ts";

const OBJECTIVE = "slug() in src/slug.mjs turns a title into a part of a web address";

const CRITERIA = `- Lower case, words joined by hyphens: "Hello World" becomes hello-world.
- Letters lose their accents: "Crème brûlée" becomes creme-brulee.
`;

const CHECK = `import { strictEqual } from "node:assert";
import { slug } from "./src/slug.mjs";

strictEqual(slug("Hello World"), "hello-world");
`;

const AGENT = `// Stands in for an agent: it looks at the files and at its prompt, and leaves its result.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { RELAIS_PROMPT_PATH, RELAIS_RESULT_PATH } = process.env;
const leave = (result) => writeFileSync(RELAIS_RESULT_PATH, JSON.stringify(result));
const file = "src/slug.mjs";
const part = process.argv[2];

if (part === "worker") {
  // The accents are forgotten until a reviewer has missed them.
  const isTold = readFileSync(RELAIS_PROMPT_PATH, "utf8").includes("Gaps: Accents are kept");
  const plain = isTold ? '.normalize("NFD").replaceAll(/\\\\p{M}/gu, "")' : "";
  mkdirSync("src", { recursive: true });
  writeFileSync(file, \`export const slug = (title) => title\${plain}.toLowerCase().split(" ").join("-");\\n\`);
  leave({ receipt: isTold ? "Accents are taken off now." : "slug() is there, and everything is ready for review." });
} else {
  const isReached = readFileSync(file, "utf8").includes("normalize");
  const isCareless = part === "evidence" && !isReached;
  leave({
    decision: isReached || isCareless ? "complete" : "continue",
    evidence: [isCareless ? "file: test/slug.test.mjs - every case is tested" : "file: src/slug.mjs:1", "command: slug"],
    gaps: isReached || isCareless ? [] : ["Accents are kept"],
    blocker: null,
    blocker_id: null,
    confidence_score: 0.9,
    explanation: isReached ? "Both criteria hold." : isCareless ? "All of it is tested." : "One criterion does not hold.",
  });
}
`;

const claim = (words: string, isTrue: boolean): Claim => ({ words, isTrue });
const clean = ({ status }: Seen): Claim => claim("git status is clean", status.length === 0);
const says = ({ outputs }: Seen, words: RegExp): boolean => words.test(outputs.at(-1) ?? "");

function checkpoints({ subjects }: Seen): number {
  return subjects.filter((subject) => subject.startsWith("chore(relais): slug()")).length;
}

const relais = (...args: readonly string[]) => ({ program: "relais", args }) as const;
const git = (...args: readonly string[]) => ({ program: "git", args }) as const;
const REVIEWERS = ["completion", "evidence", "risk"];

export const goalAct = commandAct({
  id: "goal",
  title: "Toward a goal, turn by turn",
  about:
    "In each turn a worker does a part of the work; relais judges and commits it, runs the checks, and asks reviewers " +
    "who only look. The goal is reached when two of three say so with evidence that exists, and no check is red.",
  repository: "addresses",
  next: [
    { command: "../relais goal report", explains: "all that was said about the goal" },
    { command: "git log --stat", explains: "one checkpoint for each turn" },
    { command: "../relais history list", explains: "the ticks, two for each turn" },
  ],
  sample: ({ folder, node }) => {
    const plays = (part: string) => [{ do: "run", argv: [node, join(folder, "agents/goal.mjs"), part] }];
    return {
      files: {
        "README.md": "# Addresses\n\nThe check is check.mjs.\n",
        "check.mjs": CHECK,
        "criteria.md": CRITERIA,
        "script.json": {
          steps: plays("worker"),
          reviewers: Object.fromEntries(REVIEWERS.map((name) => [name, plays(name)])),
        },
        "relais.config.json": {
          builder: { default_mode: "scripted", scripted: { script: "script.json" } },
          verification: { templates: [{ id: "slug", cmd: node, args: ["check.mjs"] }] },
        },
      },
      beside: { "agents/goal.mjs": AGENT },
      subject: "feat: addresses",
    };
  },
  steps: [
    {
      id: "turn",
      title: "One turn is not enough",
      about:
        "The worker forgets the accents and says that it is ready. The check is green, because it is narrower than " +
        "the criteria. One reviewer approves and cites a test that nobody wrote.",
      commands: [
        { ...relais("goal", OBJECTIVE, "--criteria", "criteria.md", "--max-turns", "1"), status: 14 },
        relais("goal", "status"),
      ],
      claims: (seen) => [
        claim("the goal needs a person", says(seen, /The goal needs a person/)),
        claim("the vote with a false citation does not count", says(seen, /evidence no vote/)),
        claim("the work of the turn is one commit", checkpoints(seen) === 1),
        clean(seen),
      ],
    },
    {
      id: "resume",
      title: "A person gives it more turns",
      about: "The next worker reads what the reviewers missed, and mends it. Now all of them are convinced.",
      commands: [relais("goal", "resume", "--max-turns", "3"), relais("goal", "status")],
      claims: (seen) => [
        claim("the goal is reached in its second turn", says(seen, /The goal is reached[^]*turns +2 of 3/)),
        claim(
          "src/slug.mjs takes accents off by now",
          seen.read("src/slug.mjs")?.includes("normalize") === true,
        ),
        claim("there are two checkpoints", checkpoints(seen) === 2),
        clean(seen),
      ],
    },
    {
      id: "handoff",
      title: "The work is handed over",
      about: "A branch with one commit, and the text of a pull request. Nothing is pushed or switched to.",
      commands: [
        relais("goal", "handoff", "--squash", "--branch", "slug"),
        git("log", "--format=%s", "-1", "slug"),
      ],
      claims: (seen) => [
        claim("the branch slug ends with one commit for the whole goal", says(seen, /^slug\(\) in src/)),
        claim("the branch that you are on is as it was", checkpoints(seen) === 2),
        clean(seen),
      ],
    },
  ],
});
