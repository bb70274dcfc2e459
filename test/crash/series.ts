/** The series whose crashes are tried: each as short as it can be with everything that its workflow does. */
import { writeTree } from "../../src/workflows/pure/tree-nodes.ts";
import { CONTRACT } from "../support/campaign-contract.ts";
import { node } from "../support/tree-node.ts";
import type { SeriesParts } from "./series-scenario.ts";

const SCOPE = { scope: { default_allowed_globs: ["src/**"], default_allow_new_files: true } };
const CHECK = {
  verification: { templates: [{ id: "check", cmd: "test", args: ["-f", "src/x.ts"] }], baseline: "off" },
};
const builder = (box: string) => ({
  ...SCOPE,
  ...CHECK,
  builder: { default_mode: "command", command: { command: "sh", args: [`${box}/agent.sh`] } },
});

/** Notes the session before it does anything. */
const NOTE = 'box="${0%/*}"\necho "$RELAIS_ROLE" >> "$box/sessions"\n';

const LOOP_TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "One more line.",
  scope: { allowed_globs: ["src/**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification: { fast: ["check"], slow: [] },
  builder: { mode: "command", max_turns: 1, instructions: "Add a line." },
};
const LOOP_STOP = { task_id: "T-9", milestone_id: "M-1", control: { action: "stop", reason: "All is done." } };

/**
 * Two tasks, then the orchestrator says that all is done. The orchestrator is not
 * counted: after a crash it plans again, so the builder of the interrupted tick may be paid again, too.
 */
const loop: SeriesParts = {
  name: "loop of two ticks",
  config: (box) => ({
    ...builder(box),
    roles: { orchestrator: { driver: "command" } },
    orchestrator: { command: { command: "sh", args: [`${box}/brain.sh`] } },
  }),
  files: () => ({
    "relais/GOAL.md": "Goal.\n",
    "../../agent.sh": `${NOTE}echo line >> src/x.ts\n`,
    "../../brain.sh": [
      'box="${0%/*}"; n=$(grep -c line src/x.ts)',
      'if [ "$n" = 2 ]; then cat "$box/stop.json"; else sed "s/T-1/T-1$n/; s/more/more $n/" "$box/line.json"; fi > "$RELAIS_RESULT_PATH"',
      "",
    ].join("\n"),
    "../../line.json": JSON.stringify(LOOP_TASK),
    "../../stop.json": JSON.stringify(LOOP_STOP),
  }),
  start: ["loop"],
  good: /"end":"complete"/,
  sessions: 2,
  repeatsTick: true,
  end: { text: "no\nline\nline\n", commits: 2 },
};

/** A worker, a check and a reviewer, who confirms. */
const goal: SeriesParts = {
  name: "goal of one turn",
  config: builder,
  files: () => ({
    "../../agent.sh": [
      NOTE,
      'if [ "$RELAIS_ROLE" = builder ]; then echo line >> src/x.ts; echo \'{"receipt":"Wrote a line."}\' > "$RELAIS_RESULT_PATH"; exit 0; fi',
      "cat > \"$RELAIS_RESULT_PATH\" <<'VOTE'",
      '{"decision":"complete","evidence":["file: src/x.ts"],"gaps":[],"blocker":null,"blocker_id":null,"confidence_score":0.8,"explanation":"Looked."}',
      "VOTE",
      "",
    ].join("\n"),
  }),
  start: ["goal", "Reach it", "--quorum", "1", "--reviewers", "1"],
  resume: ["goal", "resume"],
  good: /"status":"complete"/,
  sessions: 2,
  end: { text: "no\nline\n", commits: 1 },
};

/** Two leaves, one iteration for each. */
const tree: SeriesParts = {
  name: "tree of two leaves",
  config: (box) => ({ ...builder(box), tree: { guard: ["grep", "-q", "line", "src/x.ts"] } }),
  files: () => ({
    "relais/GOAL.md": "# Two lines\n",
    "relais/tree.json": writeTree({ version: 1, root: node("root", { children: [node("a"), node("b")] }) }),
    "../../agent.sh": `${NOTE}echo line >> src/x.ts\necho '{"status":"done","summary":"A line."}' > "$RELAIS_RESULT_PATH"\n`,
  }),
  start: ["tree", "run"],
  good: /"end":"complete"/,
  sessions: 2,
  end: { text: "no\nline\nline\n", commits: 2 },
};

/** One story: a worker, a verifier, and the verification of the whole. */
const campaign: SeriesParts = {
  name: "campaign of one story",
  config: (box) => ({ ...builder(box), campaign: { poll_interval_seconds: 0.01 } }),
  files: () => ({
    "../../contract.json": JSON.stringify({
      ...CONTRACT,
      stories: CONTRACT.stories.slice(0, 1),
      commands: [{ id: "there", argv: ["test", "-f", "src/x.ts"] }],
    }),
    "../../agent.sh": [
      NOTE,
      'address=$(grep -o \'"slug":"[^}]*"nonce":"[^"]*"\' "$RELAIS_PROMPT_PATH" | tail -1)',
      'if [ "$RELAIS_ROLE" = builder ]; then',
      '  echo line >> src/x.ts; echo "Wrote a line." >> "$RELAIS_DROP/context-latest.md"',
      '  printf \'{"kind":"claim",%s,"criteria":[],"changes":[]}\' "$address" > "$RELAIS_DROP/done-claim.json"',
      '  printf \'{"kind":"signal",%s,"status":"verify","summary":"Done."}\' "$address" > "$RELAIS_RESULT_PATH"; exit 0',
      "fi",
      'printf \'{"kind":"verdict",%s,"verdict":"pass","summary":"Looked.","evidence":["file: src/x.ts"],"issues":[],"questions":[],"blocker":null}\' "$address" > "$RELAIS_RESULT_PATH"',
      "",
    ].join("\n"),
  }),
  prepare: async (site) => {
    await site.relais(["campaign", "brainstorm", "--from", "../../contract.json", "--yes"]);
  },
  start: ["campaign", "run", "lines"],
  good: /"sentinel":"complete"/,
  sessions: 3,
  end: { text: "no\nline\n", commits: 1 },
};

const scripted = (path: string, text: string): string =>
  JSON.stringify({
    ...LOOP_TASK,
    builder: {
      mode: "scripted",
      max_turns: 1,
      instructions: JSON.stringify({
        steps: [
          { do: "write", path, text },
          { do: "result", content: { summary: "did it", files_intended: [path], commands_ran: [], notes: [] } },
        ],
      }),
    },
  });

/** Two jobs have ended; their commits land one after the other. */
const landing: SeriesParts = {
  name: "landing of two jobs",
  config: () => ({ ...SCOPE, ...CHECK }),
  files: () => ({
    "../../first.json": scripted("src/x.ts", "no\nline\n"),
    "../../second.json": scripted("src/second.ts", "second\n"),
  }),
  prepare: async (site) => {
    for (const name of ["first", "second"]) await site.relais(["submit", "task", `../../${name}.json`]);
    await site.relais(["worker", "--drain", "--unsandboxed"]);
  },
  start: ["land"],
  good: /"outcome":\s?"landed".*"outcome":\s?"landed"/,
  sessions: 0,
  end: { text: "no\nline\n", commits: 2 },
};

export const SERIES = [loop, goal, tree, campaign, landing];
