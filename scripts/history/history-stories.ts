/** What is recorded of a version: each story is a repository, what is done in it, and what is asked afterwards. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CAMPAIGN_AGENT, ENDLESS_BUILDER, GOAL_AGENT, ORCHESTRATOR, TREE_AGENT } from "./agent-programs.ts";
import type { HistoryStage } from "./history-stage.ts";

export interface HistoryStory {
  readonly name: string;
  readonly config: object;
  /** Committed besides the usual files. */
  readonly files?: Readonly<Record<string, string | object>>;
  /** Laid beside the repository: the programs of the agents. */
  readonly beside?: Readonly<Record<string, string | object>>;
  readonly play: (stage: HistoryStage) => Promise<void> | void;
  /** Asked at the end, besides what is asked of every history. */
  readonly questions?: readonly (readonly string[])[];
}

const SCRIPTED = { builder: { default_mode: "scripted" } };
const CHECKS = {
  verification: {
    templates: [
      { id: "answer", cmd: "grep", args: ["-q", "42", "src/main.ts"] },
      { id: "green", cmd: "true" },
    ],
  },
};
const AGENT = { builder: { default_mode: "cursor", cursor: { command: "sh", args: ["../agent.sh"] } } };
const RESULT = { summary: "It is done.", files_intended: ["src/main.ts"], commands_ran: [], notes: [] };

const write = (path: string, text: string) => ({ do: "write", path, text });
const answer = (note: string) => write("src/main.ts", `export const answer = 42; // ${note}\n`);

function task(id: string, steps: readonly object[], over: object = {}): object {
  return {
    task_id: id,
    milestone_id: "M-1",
    task_kind: "execute",
    intent: `Set the answer to 42 (${id}).`,
    scope: {
      allowed_globs: ["src/**"],
      forbidden_globs: [],
      allow_new_files: false,
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
    verification: { fast: ["answer"], slow: ["green"] },
    builder: {
      mode: "scripted",
      max_turns: 4,
      instructions: JSON.stringify({ steps: [...steps, { do: "result", content: RESULT }] }),
    },
    ...over,
  };
}

const QUESTION = {
  task_id: "T-9",
  milestone_id: "M-1",
  task_kind: "question",
  intent: "Which one?",
  scope: {
    allowed_globs: ["src/**"],
    forbidden_globs: [],
    allow_new_files: false,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification: { fast: [], slow: [] },
  question: { prompt: "Which one?", choices: ["this", "that"] },
};

const PATCH = `--- a/src/main.ts
+++ b/src/main.ts
@@ -1 +1 @@
-export const answer = 42; // first
+export const answer = 42; // patched
`;

function run(stage: HistoryStage, document: object): void {
  stage.put({ "task.json": document });
  stage.relais("run", "--task", join(stage.box, "task.json"));
}

/** Single ticks: kept and committed by a person, taken back, refused by a gate, red, blocked, a patch, a question. */
function playRelay(stage: HistoryStage): void {
  run(stage, task("T-1", [answer("first")]));
  stage.relais("accept");
  run(stage, task("T-2", [answer("second")]));
  stage.relais("undo");
  run(stage, task("T-3", [write("README.md", "# Not yours\n"), write("src/new.ts", "new\n")]));
  run(stage, task("T-4", [write("src/main.ts", "export const answer = 0;\n")]));
  stage.put({ "repo/src/main.ts": "not committed\n" });
  run(stage, task("T-5", [answer("fifth")]));
  stage.git("checkout", "--", "src/main.ts");
  run(stage, task("T-6", [{ do: "exit", status: 3 }]));
  stage.put({ "fix.patch": PATCH });
  stage.relais("run", "--patch", "../fix.patch", "--allow", "src/**");
  stage.relais("accept");
  run(stage, QUESTION);
  stage.relais("answer", "2");
  run(stage, task("T-10", [answer("tenth")]));
}

const approve = [{ do: "result", content: { decision: "approve", explanation: "Good.", reasons: [] } }];
const refuse = [
  {
    do: "result",
    content: { decision: "refuse", explanation: "No.", reasons: ["src/main.ts:1 has no test"] },
  },
];

function reviewed(id: string, votes: Readonly<Record<string, readonly object[]>>): object {
  const steps = [answer(id), { do: "result", content: RESULT }];
  const instructions = JSON.stringify({ steps, reviewers: votes });
  return task(id, [], { builder: { mode: "scripted", max_turns: 4, instructions } });
}

const CONTRACT = {
  slug: "lines",
  objective: "Lines in main.ts",
  stories: [
    { id: "US-001", title: "The first line", criteria: [{ id: "AC1", text: "`src/main.ts` has a line 1" }] },
    { id: "US-002", title: "The second line", criteria: [{ id: "AC1", text: "`src/main.ts` has a line 2" }] },
  ],
  iteration_unit: "story",
  commands: [{ id: "there", argv: ["test", "-f", "src/main.ts"] }],
  complete_when: "Both lines are there.",
  blocked_when: "Somebody else has to decide.",
  worker_model: null,
  verifier_model: null,
  max_iterations: null,
};

const LEAF = { acceptance: ["It works"], passes: false, attempts: 0, max_attempts: 3, children: [] };

const ENDLESS = { config: { ...AGENT, ...CHECKS }, beside: { "agent.sh": ENDLESS_BUILDER } };

async function playKilled(stage: HistoryStage): Promise<void> {
  const builder = { mode: "cursor", max_turns: 4, instructions: "Set the answer to 42." };
  stage.put({ "task.json": task("T-1", [], { builder }) });
  await stage.kill("at-work", "run", "--task", join(stage.box, "task.json"));
  rmSync(join(stage.box, "at-work"));
}

export const HISTORY_STORIES: readonly HistoryStory[] = [
  { name: "relay", config: { ...SCRIPTED, ...CHECKS }, play: playRelay },
  {
    name: "committed",
    config: { ...SCRIPTED, ...CHECKS, git: { commit: "always" }, review: { reviewers: ["risk", "tests"] } },
    play: (stage) => {
      run(stage, reviewed("T-1", { risk: approve, tests: approve }));
      run(stage, reviewed("T-2", { risk: approve, tests: refuse }));
      stage.relais("history", "prune", "--keep", "1");
    },
  },
  {
    name: "loop",
    config: {
      ...SCRIPTED,
      ...CHECKS,
      roles: { orchestrator: { driver: "command" } },
      orchestrator: { cursor: { command: "sh", args: ["../agent.sh"] } },
    },
    beside: {
      "agent.sh": ORCHESTRATOR,
      "plans/1.json": task("T-1", [answer("one")]),
      "plans/2.json": "This is no task.\n",
      "plans/3.json": task("T-2", [answer("two")]),
      "plans/last.json": {
        task_id: "T-3",
        milestone_id: "M-1",
        control: { action: "stop", reason: "All is done." },
      },
    },
    play: (stage) => {
      stage.relais("loop", "--max-ticks", "1");
      stage.relais("loop");
    },
  },
  {
    name: "goal",
    config: { ...AGENT, verification: { templates: [{ id: "green", cmd: "true" }] } },
    beside: { "agent.sh": GOAL_AGENT },
    play: (stage) => void stage.relais("goal", "Two lines in src/main.ts"),
    questions: [
      ["goal", "status"],
      ["goal", "report"],
    ],
  },
  {
    name: "tree",
    config: { ...AGENT, tree: { guard: ["grep", "-q", "right", "src/main.ts"] } },
    files: {
      "relais/GOAL.md": "# Make it right\n",
      "relais/tree.json": {
        version: 1,
        root: { id: "root", order: 0, title: "Make it right", goal: "src/main.ts is right", ...LEAF },
      },
    },
    beside: { "agent.sh": TREE_AGENT },
    play: (stage) => void stage.relais("tree", "run"),
    questions: [["tree", "show"]],
  },
  {
    name: "campaign",
    config: { ...AGENT, campaign: { poll_interval_seconds: 0.01 } },
    beside: { "agent.sh": CAMPAIGN_AGENT, "contract.json": CONTRACT },
    play: (stage) => {
      stage.relais("campaign", "brainstorm", "--from", "../contract.json", "--yes");
      stage.relais("campaign", "run", "lines");
    },
    questions: [["campaign", "status", "lines"]],
  },
  { name: "interrupted", ...ENDLESS, play: playKilled },
  {
    name: "recovered",
    ...ENDLESS,
    play: async (stage) => {
      await playKilled(stage);
      stage.relais("recover");
    },
  },
];

/** The names of all ticks that the journal knows, in their order. */
export function runsOf({ state }: HistoryStage): readonly string[] {
  const text = readFileSync(join(state(), "journal.jsonl"), "utf8");
  return [...new Set([...text.matchAll(/"run_id":"([^"]+)"/g)].map(([, id]) => id ?? ""))];
}
