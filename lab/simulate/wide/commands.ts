/** The commands of a person: each is a process of its own. */
import type { ScriptPlayer } from "../../../src/agents/scripted.ts";
import { refuse } from "../../../src/records/command-failure.ts";
import type { SeriesOptions } from "../../../src/records/series.ts";
import { findLastAcceptedHere } from "../../../src/workspace/series-branch.ts";
import { answerLast } from "../../../src/decide/answer-last.ts";
import { recordDecision } from "../../../src/decide/accept-last.ts";
import { findSettlement } from "../../../src/tick/pure/tick-facts.ts";
import type { CampaignState } from "../../../src/workflows/pure/campaign-state.ts";
import type { GoalState } from "../../../src/workflows/pure/goal-state.ts";
import { makeGoalWorkflow } from "../../../src/workflows/pure/goal-workflow.ts";
import { makeCampaignWorkflow } from "../../../src/workflows/pure/campaign-workflow.ts";
import { makeRelay, makeRelayLoop } from "../../../src/workflows/pure/relay.ts";
import { makeTreeWorkflow, type TreeSeries } from "../../../src/workflows/pure/tree-workflow.ts";
import { RESUMABLE_ENDS } from "../../../src/workflows/pure/last-series.ts";
import { recover, recoverFirst } from "../../../src/decide/recover.ts";
import type { SeriesRequest } from "../../../src/workflows/series-loop.ts";
import { runSeries } from "../../../src/workflows/run-series.ts";
import { openSession } from "../../../src/tick/open-session.ts";
import { runWork } from "../../../src/tick/run-work.ts";
import { readTreeView } from "../../../src/workflows/run-tree.ts";
import { withWorkspace } from "../../../src/workspace/with-workspace.ts";
import { createHash } from "node:crypto";
import { makeCampaign, makeGoal } from "./model-work.ts";
import type { SimulatedProcess, World } from "./world.ts";

export type Answer = { readonly kind: string; readonly code?: string; readonly cause?: string };

const PLAYER: ScriptPlayer = ["relais"];

function makeContext(process: SimulatedProcess) {
  return {
    cwd: "/repo",
    environment: { PROCESS: String(process.pid) },
    signal: process.controller.signal,
    relaisVersion: "1.0.0",
    player: PLAYER,
    renderReport: () => "",
  };
}

const WATCH = { begun: () => {}, ticked: () => {}, warned: () => {}, waiting: () => {} };

/** The command of the plan: it starts, or goes on with what is there. */
export async function runCommand(world: World, process: SimulatedProcess): Promise<Answer> {
  const context = makeContext(process);
  const base = { ...context, choices: {}, chosen: { choices: {}, foundText: null }, isNew: false, watch: WATCH };
  switch (world.plan.workflow) {
    case "run":
      return runOnce(context);
    case "loop":
      return runSeries({ ...base, options: options(world, "loop"), workflow: makeRelayLoop });
    case "tree":
      return runSeries({ ...base, options: options(world, "tree"), ...TREE });
    case "goal":
      return runSeries<GoalState>({
        ...base,
        options: { ...options(world, "goal"), goal: makeGoal(world) },
        resumes: RESUMABLE_ENDS,
        workflow: (known) => makeGoalWorkflow({ ...known, diff: "" }),
      });
    case "campaign":
      return runSeries<CampaignState>({
        ...base,
        options: { ...options(world, "campaign model"), campaign: makeCampaign(world) },
        resumes: RESUMABLE_ENDS,
        workflow: ({ config, warnings, seriesId }) => {
          world.watch.nonce = `nonce-${world.makeName()}`;
          const texts = { worker: "", verifier: "", memory: "", context: "", diff: "" };
          const { nonce } = world.watch;
          return makeCampaignWorkflow({ config, settings: makeCampaign(world), warnings, seriesId, texts, nonce });
        },
      });
    default:
      return world.plan.workflow satisfies never;
  }
}

function options({ plan }: World, command: string): SeriesOptions {
  if (command !== "loop") return { command, mode: null, max_ticks: null };
  return { command, mode: "autonomous", max_ticks: plan.maxTicks };
}

const TREE: Required<Pick<SeriesRequest<TreeSeries>, "workflow" | "resumes">> = {
  resumes: ["interrupted", "paused", "needs_human", "max_ticks", "timeout"],
  workflow: ({ config, baseText, warnings, seriesId, lines }) =>
    makeTreeWorkflow({
      config,
      configSha256: createHash("sha256").update(baseText).digest("hex"),
      seriesId,
      warnings,
      isStep: false,
      maxIterations: null,
      guard: ["true"],
      isFound: false,
      ...readTreeView(
        {
          folder: "/repo/relais",
          stateDirectory: "/state",
          config,
          repository: { kind: "repository", root: "/repo", gitDir: "", commonDir: "", gitFile: false, environment: {} },
          guard: ["true"],
        },
        lines,
      ),
    }),
};

/** `relais run` with an orchestrator: one tick. */
async function runOnce(context: ReturnType<typeof makeContext>): Promise<Answer> {
  const cleared = await recoverFirst(context);
  if (cleared.kind !== "cleared") return cleared;
  return withWorkspace(context, "tick", async (workspace) => {
    const { runId } = workspace;
    const workflow = makeRelay(null, workspace.config);
    const next = workflow.next(workflow.start, workflow.start);
    if (next.kind !== "work") throw new Error("a single tick has work");
    const opened = await openSession({ ...context, workspace, seriesId: runId, work: next.work });
    if (opened.kind === "blocked") return opened;
    return runWork(opened.session, { workflow: "relay", work: next.work, relaisVersion: "1.0.0" });
  });
}

export function runRecovery(process: SimulatedProcess, abandon: boolean): Promise<Answer> {
  return recover({ ...makeContext(process), abandon, allowSteps: () => Promise.resolve(true) });
}

export function answerQuestion(process: SimulatedProcess): Promise<Answer> {
  return answerLast(makeContext(process), { words: "a" });
}

/** `relais accept` and `relais undo`, with their commit or their way back in the model. */
export function decideLast(world: World, process: SimulatedProcess, decision: "accept" | "undo"): Promise<Answer> {
  return withWorkspace(makeContext(process), "decide", async (workspace): Promise<Answer> => {
    const record = findLastAcceptedHere(workspace, "nothing");
    if ("kind" in record) return record;
    const { isCommitted, commit } = findSettlement(record.state);
    const model = world.repository;
    const next = "See `relais status`.";
    const base = record.facts.base.base_commit;
    if (decision === "accept") {
      if (isCommitted || model.head !== base) return refuse({ cause: "head_moved", message: "no", next });
      const made = model.commit("relais", model.files);
      await world.step(process, "the change is committed");
      await recordDecision(workspace, record, { type: "accepted", commit: made, branch: "work" });
      return { kind: "committed" };
    }
    const isClean = commit === null || (model.head === commit && model.listDirty().length === 0);
    if (!isClean || (commit === null && model.head !== base)) return refuse({ cause: "dirty", message: "no", next });
    const before = model.commits.get(base)?.files ?? new Map<string, string>();
    for (const path of record.facts.judged.touched_paths) {
      const text = before.get(path);
      world.watch.change.giveUp(model.files.get(path));
      if (text === undefined) model.files.delete(path);
      else model.files.set(path, text);
    }
    if (commit !== null) model.head = base;
    await world.step(process, "the change is taken back");
    await recordDecision(workspace, record, { type: "undone" });
    return { kind: "undone" };
  });
}
