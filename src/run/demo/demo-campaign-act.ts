/**
 * The act of a campaign: the worker gets its story wrong once, the runner's own command is red, the issue becomes a
 * contract, and the next worker mends it.
 *
 * The sessions play scripts whose one step starts the program below. It decides by what it is asked and told alone, the
 * way an agent does.
 */
import { join } from "node:path";
import type { Claim, Seen } from "./demo-act.ts";
import { commandAct } from "./demo-command-act.ts";

const CHECK = `import { strictEqual } from "node:assert";

const { area } = await import(new URL("src/area.mjs", import.meta.url));
strictEqual(area(3, 4), 12);
`;

const AGENT = `// Stands in for a worker and a verifier: it reads its prompt, edits files and leaves its message.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { RELAIS_DROP, RELAIS_PROMPT_PATH, RELAIS_RESULT_PATH, RELAIS_ROLE } = process.env;
const prompt = readFileSync(RELAIS_PROMPT_PATH, "utf8");
const [address] = prompt.match(/"slug":"[^}]*"nonce":"[^"]*"/g).slice(-1);
const message = (kind, rest) => JSON.stringify({ kind, ...JSON.parse(\`{\${address}}\`), ...rest });

if (RELAIS_ROLE === "builder") {
  // The first worker adds where it should multiply; the second one was told which command is red.
  const isFix = prompt.includes("[critical] command area");
  mkdirSync("src", { recursive: true });
  writeFileSync("src/area.mjs", \`export const area = (width, height) => width \${isFix ? "*" : "+"} height;\\n\`);
  appendFileSync(\`\${RELAIS_DROP}/context-latest.md\`, isFix ? "It multiplies by now.\\n" : "src/area.mjs is there.\\n");
  const changes = isFix ? [{ path: "src/area.mjs", issue: 1 }] : [];
  writeFileSync(\`\${RELAIS_DROP}/done-claim.json\`, message("claim", { criteria: [], changes }));
  writeFileSync(RELAIS_RESULT_PATH, message("signal", { status: "verify", summary: "area() is done." }));
} else {
  // It says pass each time. That does not make a red command green.
  const rest = { issues: [], questions: [], blocker: null, evidence: ["file: src/area.mjs"] };
  writeFileSync(RELAIS_RESULT_PATH, message("verdict", { verdict: "pass", summary: "It looks right.", ...rest }));
}
`;

const contract = (node: string) => ({
  slug: "area",
  objective: "The area of a rectangle",
  stories: [
    {
      id: "US-001",
      title: "The area",
      criteria: [{ id: "AC1", text: "`area(3, 4)` of src/area.mjs is 12" }],
    },
  ],
  iteration_unit: "story",
  commands: [{ id: "area", argv: [node, "check.mjs"] }],
  complete_when: "The area is right.",
  blocked_when: "Nobody knows what a rectangle is.",
  worker_model: null,
  verifier_model: null,
  max_iterations: 6,
});

const claim = (words: string, isTrue: boolean): Claim => ({ words, isTrue });
const clean = ({ status }: Seen): Claim => claim("git status is clean", status.length === 0);
const FOLDER = "relais/campaigns/area";

function has(seen: Seen, name: string, text: string): boolean {
  return seen.read(`${FOLDER}/${name}`)?.includes(text) === true;
}

const relais = (...args: readonly string[]) => ({ program: "relais", args }) as const;

export const campaignAct = commandAct({
  id: "campaign",
  title: "A campaign",
  about:
    "A campaign works through the stories of a contract. A worker builds, relais judges, commits and runs the commands " +
    "of the test spec itself, and a verifier looks. What does not pass becomes a numbered list for the next worker.",
  repository: "rectangle",
  next: [
    { command: "../relais campaign status area", explains: "where it stands" },
    {
      command: "../relais campaign logs area 1",
      explains: "the prompts and the result of the first iteration",
    },
    { command: "git log --stat", explains: "one commit for each iteration" },
  ],
  sample: ({ folder, node }) => {
    const steps = [{ do: "run", argv: [node, join(folder, "builders/campaign.mjs")] }];
    return {
      files: {
        "README.md": "# A rectangle\n\ncheck.mjs says whether its area is right.\n",
        "check.mjs": CHECK,
        "contract.json": contract(node),
        "script.json": { steps, reviewers: { verifier: steps } },
        "relais.config.json": { builder: { default_mode: "scripted", scripted: { script: "script.json" } } },
      },
      beside: { "builders/campaign.mjs": AGENT },
      subject: "feat: a rectangle",
    };
  },
  steps: [
    {
      id: "contract",
      title: "A person agrees to a contract",
      about:
        "Stories with criteria, and the commands that relais runs itself. Nothing is written before it is approved.",
      commands: [relais("campaign", "brainstorm", "--from", "contract.json", "--yes")],
      claims: (seen) => [
        claim("the contract is there to be read and edited", has(seen, "prd.md", "### US-001: The area")),
        clean(seen),
      ],
    },
    {
      id: "run",
      title: "It is wrong once, fixed, and verified",
      about:
        "The first worker adds instead of multiplying, and the verifier says that it passes all the same. The red command " +
        "outweighs that: the next worker gets it as an issue, and has to say for which issue it changes what.",
      commands: [relais("campaign", "run", "area"), relais("campaign", "status", "area")],
      claims: (seen) => [
        claim("the first iteration failed", has(seen, "logs/iter-001.result.md", "`fail`")),
        claim(
          "the second worker was told why",
          has(seen, "logs/iter-002.worker-prompt.md", "[critical] command area"),
        ),
        claim(
          "src/area.mjs multiplies by now",
          seen.read("src/area.mjs")?.includes("width * height") === true,
        ),
        claim(
          "there is a commit for each iteration",
          seen.subjects.filter((one) => one.includes("US-001")).length === 2,
        ),
        claim("complete.md says that it is over", has(seen, "complete.md", "campaign_complete")),
        clean(seen),
      ],
    },
  ],
});
