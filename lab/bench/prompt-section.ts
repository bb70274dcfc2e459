/**
 * Tokens are cost, too: what share of a prompt is the beginning of the one before it, which a model's service reads from
 * its cache, and how many bytes each section has. A small agent plays every role and keeps its prompts.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeRows } from "../../scripts/write-rows.ts";
import { type BenchRepository, makeRepository } from "./bench-repository.ts";
import { makeLargeTree } from "./large-tree.ts";
import { planner } from "./loop-rows.ts";
import type { Bench } from "./rows.ts";

const STEPS = 4;
const GOAL_SHARE = 0.9;
const FILES = 100;

interface WorkflowRun {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
  readonly keys: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly status: number;
}

const STORIES = Array.from({ length: STEPS }, (_, at) => ({
  id: `US-00${at + 1}`,
  title: `Constant ${at + 1}`,
  criteria: [{ id: "AC1", text: `\`src/d0/f0.ts\` has constant ${at + 1}` }],
}));
const CONTRACT = {
  slug: "constants",
  objective: "All constants are there.",
  stories: STORIES,
  iteration_unit: "story",
  commands: [{ id: "there", argv: ["test", "-f", "src/d0/f0.ts"] }],
  complete_when: "All constants are there.",
  blocked_when: "Somebody else has to decide.",
  worker_model: null,
  verifier_model: null,
  max_iterations: null,
};

const RUNS: readonly WorkflowRun[] = [
  {
    name: "loop",
    commands: [["loop", "--max-ticks", String(STEPS)]],
    keys: { roles: { orchestrator: { driver: "command" } } },
    status: 0,
  },
  {
    name: "tree",
    commands: [["tree", "run", "--max-iterations", String(STEPS)]],
    keys: {},
    files: { "relais/tree.json": makeLargeTree(125) },
    status: 10,
  },
  {
    name: "goal",
    commands: [["goal", "All constants are there.", "--max-turns", String(STEPS)]],
    keys: {},
    status: 14,
  },
  {
    name: "campaign",
    commands: [
      ["campaign", "brainstorm", "--from", "../contract.json", "--yes"],
      ["campaign", "run", CONTRACT.slug],
    ],
    keys: { campaign: { poll_interval_seconds: 0.01 } },
    status: 0,
  },
];

export async function writePrompts(bench: Bench): Promise<string> {
  const shares: string[][] = [];
  const sections: string[][] = [];
  for (const run of RUNS)
    for (const [role, prompts] of await playWorkflow(bench, run)) {
      const name = `${run.name}, ${role}`;
      shares.push([name, String(prompts.length), ...writeShares(prompts)]);
      const last = prompts.at(-1) ?? "";
      sections.push([name, String(last.length), listSections(last).join(", ")]);
    }
  return [
    writeRows(["workflow and role", "prompts", "shared beginning: median", "least", "90 %"], shares),
    writeRows(["workflow and role", "bytes of the last prompt", "by section, in its order"], sections),
  ].join("\n\n");
}

/** The prompts of each role, in their order. */
async function playWorkflow(bench: Bench, run: WorkflowRun): Promise<ReadonlyMap<string, readonly string[]>> {
  const repository = makeRepository({ ...bench, name: `prompts-${run.name}`, files: FILES, extra: run.files ?? {} });
  const { put, box, root, env, check } = repository;
  const kept = join(box, "prompts");
  mkdirSync(kept);
  put("contract.json", JSON.stringify(CONTRACT));
  const agent = put("agent.sh", writeAgent(repository, kept));
  const builder = { default_mode: "command", command: { command: "sh", args: [agent] } };
  repository.configure({ builder, tree: { guard: check }, ...run.keys });
  const commands = run.commands.map((args) => [bench.relais, ...args] as const);
  await bench.meter.measure({ commands, cwd: root, env, status: run.status });
  const roles = new Map<string, string[]>();
  for (const file of readdirSync(kept).toSorted()) {
    const role = file.slice("0000-".length);
    roles.set(role, [...(roles.get(role) ?? []), readFileSync(join(kept, file), "latin1")]);
  }
  return roles;
}

/** One program for all roles and workflows, with the answers that each of them expects. */
function writeAgent(repository: BenchRepository, kept: string): string {
  const { agent } = repository;
  const vote = `{"decision":"continue","evidence":["file: src/d0/f0.ts"],"gaps":["More constants."],"blocker":null,"blocker_id":null,"confidence_score":0.8,"explanation":"Looked."}`;
  return [
    `n=$(ls "${kept}" | wc -l); who=$RELAIS_ROLE; [ -z "$RELAIS_REVIEWER" ] || who=$who-$RELAIS_REVIEWER`,
    `cp "$RELAIS_PROMPT_PATH" "${kept}/$(printf %04d "$n")-$who"`,
    `address=$(grep -o '"slug":"[^}]*"nonce":"[^"]*"' "$RELAIS_PROMPT_PATH" | tail -1)`,
    'case "$RELAIS_ROLE" in',
    `orchestrator) . "${planner(repository)}" ;;`,
    `builder) . "${agent("accepted")[1] ?? ""}"`,
    '  if [ -n "$address" ]; then',
    '    echo "After session $n" >> "$RELAIS_DROP/context-latest.md"',
    '    printf \'{"kind":"claim",%s,"criteria":[],"changes":[]}\' "$address" > "$RELAIS_DROP/done-claim.json"',
    '    printf \'{"kind":"signal",%s,"status":"verify","summary":"Done."}\' "$address" > "$RELAIS_RESULT_PATH"',
    '  elif [ -e "$RELAIS_DROP/tree.json" ]; then printf \'{"status":"done","summary":"Done."}\' > "$RELAIS_RESULT_PATH"',
    '  elif grep -q receipt "$RELAIS_PROMPT_PATH"; then printf \'{"receipt":"Added one."}\' > "$RELAIS_RESULT_PATH"; fi ;;',
    "*)",
    '  if [ -n "$address" ]; then',
    '    printf \'{"kind":"verdict",%s,"verdict":"pass","summary":"Looked.","evidence":["file: src/d0/f0.ts"],"issues":[],"questions":[],"blocker":null}\' "$address" > "$RELAIS_RESULT_PATH"',
    `  else printf '%s' '${vote}' > "$RELAIS_RESULT_PATH"; fi ;;`,
    "esac",
    "",
  ].join("\n");
}

function writeShares(prompts: readonly string[]): readonly string[] {
  const shares = prompts
    .slice(1)
    .map((prompt, at) => countCommon(prompts[at] ?? "", prompt) / prompt.length)
    .toSorted((one, other) => one - other);
  const [least] = shares;
  const median = shares[Math.floor(shares.length / 2)];
  if (least === undefined || median === undefined) return ["", "", "one prompt only"];
  return [percent(median), percent(least), median >= GOAL_SHARE ? "met" : "**missed**"];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function countCommon(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** By headings; the text before the first one is the role's own. */
function listSections(prompt: string): readonly string[] {
  return prompt
    .split(/^(?=#{1,2} )/m)
    .map((part) => `${/^#+ (?<title>.*)/.exec(part)?.groups?.["title"] ?? "(role)"} ${part.length}`);
}
