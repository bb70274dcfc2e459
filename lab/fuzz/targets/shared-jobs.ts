import assert from "node:assert/strict";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import type { Random } from "../../../scripts/random.ts";
import { campaignSpec } from "../../../src/commands/campaign-spec.ts";
import { goalSpec } from "../../../src/commands/goal-spec.ts";
import { loopSpec } from "../../../src/commands/loop-spec.ts";
import { runSpec } from "../../../src/commands/run-spec.ts";
import { treeSpec } from "../../../src/commands/tree-spec.ts";
import { parseCommand } from "../../../src/terminal/find-command.ts";
import { GLOBAL_OPTIONS } from "../../../src/terminal/global-options.ts";
import { JobSpec } from "../../../src/queue/pure/job.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { listJobCommands } from "../../../src/queue/pure/job-arguments.ts";
import { refuseSharedJob } from "../../../src/queue/pure/shared-job.ts";
import { parseJson } from "../../../src/system/parse-json.ts";

const URL = "https://example.invalid/r.git";
const TRUST = {
  repositories: [URL],
  branches: [],
  commands: ["run", "task", "goal", "campaign", "tree", "loop"],
} as const;
const COMMANDS = [runSpec, goalSpec, campaignSpec, treeSpec, loopSpec];
const FILES = "/srv/job/files";
const MAY_RUN = ["run", "goal", "goal resume", "campaign run", "tree run", "loop"];
const FROM_FILES = ["file", "task", "patch", "criteria"];
/** Those that the worker adds, and those that are data. */
const MAY_SAY = [
  ["commit", "sandbox", "json", "plain", "base"],
  [
    "intent",
    "agent",
    "model",
    "worker-model",
    "verifier-model",
    "max-turns",
    "max-ticks",
    "max-iterations",
    "max-iter",
  ],
  FROM_FILES,
].flat();
const SPEC = {
  version: 1,
  command: "run",
  arguments: ["--file=a", "--", "Say hello."],
  repository: { kind: "url", url: URL },
  base: { commit: "a".repeat(40), branch: "main" },
  key: "r#main",
  needs: [],
  caps: { ticks: 1, sessions: 2, seconds: 60, dollars: null },
  title: "Say hello.",
  files: { a: "text" },
  config: null,
};
const WORDS = [
  [
    "--sandbox=off",
    "--sandbox",
    "off",
    "--no-sandbox",
    "--model=x",
    "--file=a",
    "--file=../a",
    "--patch=a",
    "--task=a",
  ],
  [
    "--",
    "-",
    "--agent=command",
    "--max-ticks=3",
    "--max-turns=3",
    "-C",
    "--repo=/",
    "--debug",
    "--intent=--sandbox=off",
  ],
  ["resume", "run", "brainstorm", "--help", "a", "--json=x", "--criteria=a", "--fixes=a", "--no-checks", "--", "text"],
].flat();

/** Jobs that other members submit to a shared queue: what a worker takes becomes arguments of a command. */
export const sharedJobs: FuzzTarget = {
  name: "shared-jobs",
  seeds: () =>
    TRUST.commands.map((command) => {
      const words = command === "task" ? ["--", "a"] : command === "campaign" ? ["--", "slug"] : SPEC.arguments;
      return Buffer.from(JSON.stringify({ ...SPEC, command, arguments: words }));
    }),
  words: WORDS.map((word) => `"${word}",`),
  generate,
  check: (data) => {
    const parsed = parseWith(JobSpec, parseJson(data.toString("utf8")));
    if (parsed.kind === "invalid") return;
    const refusal = refuseSharedJob(parsed.value, {
      ...TRUST,
      repositories: [URL],
      branches: [],
      commands: [...TRUST.commands],
    });
    if (refusal !== null) return assert(refusal.length > 10 && refusal.length < 1000, refusal);
    for (const isBegun of [false, true])
      for (const args of listJobCommands(parsed.value, { files: FILES, isBegun, isSandboxed: true }))
        checkCommand(args, parsed.value);
  },
};

function generate(random: Random): Buffer {
  const made: unknown = generateValue(JobSpec, random);
  const words = Array.from({ length: random.below(5) }, () => random.pick(WORDS));
  const known = { ...SPEC, command: random.pick(TRUST.commands), arguments: words };
  return Buffer.from(JSON.stringify(random.below(4) === 0 ? made : known));
}

/** As the command line reads it: a command that a job may run, in a sandbox, with data and files of the job alone. */
function checkCommand(args: readonly string[], { files }: JobSpec): void {
  const [name] = args;
  const command = COMMANDS.find((one) => one.name === name);
  assert(command !== undefined, `no command of a job: ${name}`);
  const found = parseCommand(command, { args, globals: GLOBAL_OPTIONS, at: 0 });
  if (found.kind === "misused") return;
  const { path } = found.named;
  assert(MAY_RUN.includes(path), `a job runs ${path}`);
  const { given } = found.call;
  assert.deepEqual(given.get("sandbox"), ["required"], "a job without a sandbox");
  for (const [option, values] of given) {
    assert(MAY_SAY.includes(String(option)), `a job says --${String(option)}`);
    if (!FROM_FILES.includes(String(option))) continue;
    for (const value of values) {
      assert(value.startsWith(`${FILES}/`) && Object.hasOwn(files, value.slice(FILES.length + 1)), `a file: ${value}`);
    }
  }
}
