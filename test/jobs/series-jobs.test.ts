/** loop, goal, tree and campaign as jobs: killed in the middle, resumed by the next worker, fetched and landed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JobSpec, WorkerEvent } from "../../src/queue/pure/job.ts";
import { writeTree } from "../../src/workflows/pure/tree-nodes.ts";
import { CONTRACT } from "../support/campaign-contract.ts";
import { campaignAgent } from "../support/campaign-world.ts";
import { goalAgent } from "../support/goal-world.ts";
import { openQueueWorld, type QueueWorld } from "../support/queue-world.ts";
import { executable } from "../support/relais.ts";
import { node } from "../support/tree-node.ts";

/** The second session is slow until somebody was killed in it. */
const SLOW = 'if [ "$turn" = 2 ] && [ ! -e "$HOME/killed" ]; then sleep 60; fi';

async function openSeriesWorld(agent: string, config: object = {}): Promise<QueueWorld> {
  const program = { command: { command: "sh", args: ["-c", 'exec sh "$HOME/agent.sh"'] } };
  const world = await openQueueWorld({
    builder: { default_mode: "command", ...program },
    roles: { orchestrator: { driver: "command" } },
    orchestrator: program,
    scope: { default_allowed_globs: ["src/**"], default_allow_new_files: true },
    campaign: { poll_interval_seconds: 0.01 },
    ...config,
  });
  writeFileSync(join(world.repository.box, "agent.sh"), agent);
  world.repository.commit({ "src/main.ts": "line 0\n" });
  return world;
}

/** Kills the first worker in the second session, lets another one end the job, and answers with its view. */
async function loseAndResume(world: QueueWorld, change: Partial<JobSpec>) {
  const { submit, drain, engine, environment, repository } = world;
  const job = await submit([], { files: {}, ...change });
  const args = [executable, "worker", "--drain", "--unsandboxed"];
  const worker = spawn(process.execPath, args, { cwd: repository.root, env: { ...environment }, stdio: "ignore" });
  const gone = once(worker, "exit");
  let builds = 0;
  for await (const { text } of engine.follow(job, "", AbortSignal.timeout(60_000)))
    if (text.includes('"build_started"') && (builds += 1) === 2) break;
  worker.kill("SIGKILL");
  await gone;
  writeFileSync(join(repository.box, "killed"), "");
  await drain();
  const view = await engine.find(job);
  expect(view).toMatchObject({ phase: "done", attempt: 2, losses: [{ attempt: 1 }] });
  return { job, spent: view?.spent };
}

async function fetchAndLand({ repository, engine }: QueueWorld, job: string): Promise<readonly string[]> {
  expect(await repository.ask("fetch", job)).toMatchObject({ status: 0, document: { branch: { state: "new" } } });
  const subjects = repository.git("log", "--reverse", "--format=%s", `HEAD..relais/${job}`).split("\n");
  expect(await repository.ask("land")).toMatchObject({ document: { landings: [{ name: job, outcome: "landed" }] } });
  expect(repository.git("diff", "--stat", `relais/${job}`)).toBe("");
  expect(repository.git("status", "--porcelain")).toBe("");
  await engine.close();
  return subjects;
}

const LOOP = `
if [ "$RELAIS_ROLE" != builder ]; then
  n=$(( $(cat "$HOME/asked" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$HOME/asked"
  if grep -q "line 2" src/main.ts; then
    printf '{"task_id":"T-9","milestone_id":"M-1","control":{"action":"stop","reason":"All is done."}}' > "$RELAIS_RESULT_PATH"
  else
    printf '{"task_id":"T-%s","milestone_id":"M-1","task_kind":"execute","intent":"Step %s.","scope":{"allowed_globs":["src/**"],"forbidden_globs":[],"allow_new_files":true,"allow_lockfile_changes":false},"diff_limits":{"max_files_touched":5,"max_lines_changed":50},"verification":{"fast":[],"slow":[]},"builder":{"mode":"command","max_turns":4,"instructions":"Go."}}' "$n" "$n" > "$RELAIS_RESULT_PATH"
  fi
  exit 0
fi
turn=$(( $(tail -1 src/main.ts | sed 's/line //') + 1 ))
${SLOW}
echo "line $turn" >> src/main.ts
printf '{"summary":"Done.","files_intended":["src/main.ts"],"commands_ran":[],"notes":[]}' > "$RELAIS_RESULT_PATH"
`;

test("a loop goes on with the ticks that are left, and lands", async () => {
  const world = await openSeriesWorld(LOOP);
  const { job, spent } = await loseAndResume(world, { command: "loop", arguments: [] });
  expect(spent?.ticks).toBeGreaterThanOrEqual(2);
  const subjects = await fetchAndLand(world, job);
  expect(subjects).toHaveLength(2);
  expect(world.repository.git("show", "HEAD:src/main.ts")).toBe("line 0\nline 1\nline 2");
});

test("a job with a red base pays nobody, and its result is the command that goes on", async () => {
  const templates = [{ id: "second", cmd: "grep", args: ["-q", "line 1", "src/main.ts"] }];
  const { submit, drain, engine } = await openSeriesWorld(goalAgent({}), {
    verification: { templates, baseline: "auto" },
  });
  const goal = { files: {}, command: "goal" } as const;
  const red = await submit([], { ...goal, arguments: ["--", "Write a line"] });
  const fixed = await submit([], { ...goal, arguments: ["--fixes=second", "--", "Write a line"] });
  await drain();
  expect(await engine.find(red)).toMatchObject({
    phase: "failed",
    spent: { sessions: 0 },
    result: { summary: expect.stringContaining("relais submit goal 'Write a line' --fixes second") },
  });
  expect(await engine.find(fixed)).toMatchObject({ phase: "done" });
  await engine.close();
});

test("a paused loop ends its tick and waits; it goes on when it is resumed", async () => {
  const world = await openSeriesWorld(LOOP);
  const { submit, drain, engine, repository } = world;
  writeFileSync(join(repository.box, "killed"), ""); // No session is slow.
  const job = await submit([], { files: {}, command: "loop", arguments: [] });
  let isAsked = false;
  const emit = (event: WorkerEvent): void => {
    events.push(event);
    if (isAsked || event.kind !== "line" || event.line.event.type !== "build_started") return;
    isAsked = true;
    asking = engine.ask(job, "pause");
  };
  const events: WorkerEvent[] = [];
  let asking: Promise<unknown> = Promise.resolve();
  await drain({ emit });
  await asking;
  expect(await engine.find(job)).toMatchObject({ phase: "waiting", isPaused: true, waitsFor: "it is paused" });
  expect(events.at(-1)).toMatchObject({ kind: "released", why: "A person paused it." });
  expect(await engine.ask(job, "resume")).toBe("done");
  await drain();
  expect(await engine.find(job)).toMatchObject({ phase: "done", attempt: 2, losses: [] });
  expect(await fetchAndLand(world, job)).toHaveLength(2);
});

test("a goal goes on with its next turn, from the base of the job", async () => {
  const worker = `turn=$(( $(tail -1 src/main.ts | sed 's/line //') + 1 )); ${SLOW}; echo "line $turn" >> src/main.ts; receipt "Wrote line $turn."`;
  const reviewers = '*) if grep -q "line 2" src/main.ts; then vote complete; else vote continue "" "line 2"; fi ;;';
  const world = await openSeriesWorld(goalAgent({ worker, reviewers }), {
    verification: { baseline: "off", templates: [{ id: "green", cmd: "true" }] },
  });
  const { job } = await loseAndResume(world, { command: "goal", arguments: ["--", "Two lines"] });
  await fetchAndLand(world, job);
  expect(world.repository.git("show", "HEAD:src/main.ts")).toBe("line 0\nline 1\nline 2");
});

test("a tree goes on, and lands with its state", async () => {
  const agent = `
turn=$(( $(tail -1 src/main.ts | sed 's/line //') + 1 ))
${SLOW}
echo "line $turn" >> src/main.ts
printf '{"status": "done", "summary": "turn %s"}' "$turn" > "$RELAIS_RESULT_PATH"
`;
  const world = await openSeriesWorld(agent, { tree: { guard: ["grep", "-q", "line", "src/main.ts"] } });
  const root = node("root", { children: [node("one"), node("two", { order: 1 })] });
  world.repository.commit({ "relais/tree.json": writeTree({ version: 1, root }) });
  const { job } = await loseAndResume(world, { command: "tree", arguments: [] });
  await fetchAndLand(world, job);
  expect(world.repository.git("show", "HEAD:src/main.ts")).toBe("line 0\nline 1\nline 2");
  expect(world.repository.git("show", "HEAD:relais/tree.json")).not.toContain('"passes": false');
});

test("a campaign goes on, and lands", async () => {
  const worker = `turn=$(( $(tail -1 src/main.ts | sed 's/line //') + 1 )); ${SLOW}; echo "line $turn" >> src/main.ts; note; claim; signal verify`;
  const world = await openSeriesWorld(campaignAgent({ worker }));
  const files = { "campaign.json": JSON.stringify(CONTRACT) };
  const { job } = await loseAndResume(world, { command: "campaign", arguments: ["--", "lines"], files });
  await fetchAndLand(world, job);
  expect(world.repository.git("show", "HEAD:src/main.ts")).toBe("line 0\nline 1\nline 2");
});
