/**
 * Tries small mutations of a change that passed its checks, in a place of their own. The result is for people and
 * reviewers and decides nothing, so a failure here only means that none was tried.
 */
import type { Entry, Manifest } from "../../contract/evidence/manifest.ts";
import type { MutationReport } from "../../contract/evidence/mutation-report.ts";
import type { TickEvent } from "../../contract/journal/event.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { listPinnedPaths } from "../../core/checks/pinned-paths.ts";
import { type Check, planChecks } from "../../core/checks/verification-plan.ts";
import { cutMutation } from "../../core/mutation/mutation-words.ts";
import { planRestoration } from "../../core/observation/restoration-plan.ts";
import type { StateIn } from "../../core/tick/tick-state.ts";
import { isGreenRun } from "../../core/words/decisive-words.ts";
import { accessStore } from "../../io/content/content-store.ts";
import { restore } from "../../io/content/restore.ts";
import { readErrorCode } from "../../io/files/error-code.ts";
import { leadsOutside } from "../../io/files/leads-outside.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { findEntryAt } from "../../io/observe/walk.ts";
import { nameTickMarker } from "../../io/process/reap-session.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { listParents } from "../evidence/tree-merge.ts";
import { readChangedSources } from "../mutation/mutation-sources.ts";
import { runMutations, skipMutations } from "../mutation/run-mutations.ts";
import type { RunningSession } from "../session/tick-session.ts";
import { readCandidate } from "./perform-judge.ts";

type MutateState = StateIn<"mutate">;

export async function performMutate(session: RunningSession, state: MutateState): Promise<TickEvent> {
  const beganMs = readClockMs();
  const report = await tryMutations(session, state).catch((error: unknown) => explainFailure(session, error));
  const duration_ms = Math.round(readClockMs() - beganMs);
  return { type: "mutated", ...cutMutation({ ...report, duration_ms }) };
}

/** A signal and the deadline end the tick as anywhere else. */
function explainFailure({ signal, deadlineAt }: RunningSession, error: unknown): MutationReport {
  const isOver = signal.aborted || readClockMs() >= deadlineAt;
  const isKnown = error instanceof MeasurementError || readErrorCode(error) !== null;
  if (isOver || !isKnown) throw error;
  return skipMutations(describeError(error));
}

/** Of the bound, as a part: a check that takes longer leaves no time for a sample. */
const CHECK_PART = 1 / 4;
/** Of the time that the tick has left; reviewers and the settlement need the rest. */
const TICK_PART = 1 / 2;

async function tryMutations(session: RunningSession, state: MutateState): Promise<MutationReport> {
  const { repository, config, store, stateDirectory, runId, signal, deadlineAt } = session;
  const { count = 0, seconds: most = 0 } = state.started.mutation ?? {};
  const left = ((deadlineAt - readClockMs()) / 1000) * TICK_PART;
  const words = { ...WORDS, ...(left < most ? { seconds: "half of the time that the tick has left" } : {}) };
  const { changes } = readCandidate(session).evidence;
  const kept = changes.filter(({ standing }) => standing !== "ignored");
  return runMutations({
    repository,
    config,
    checks: listQuickChecks(session, state, most * CHECK_PART * 1000),
    limits: { count, seconds: Math.min(most, left), words },
    sources: await readChangedSources(accessStore(store), kept),
    fill: (tree) => writeCandidate(session, tree),
    around: stateDirectory,
    marker: nameTickMarker(runId),
    signal,
  });
}

const WORDS = {
  seconds: "review.mutation_seconds",
  noCheck: "no check of the tick passes in a quarter of review.mutation_seconds",
};

/** The checks that passed in time, by what the journal says of them. */
function listQuickChecks(session: RunningSession, state: MutateState, msMax: number): readonly Check[] {
  const { config, place, work } = session;
  const settings = { ...config.verification, leadsOutside: (path: string) => leadsOutside(place.tree, path) };
  const plan = planChecks(settings, state.task.verification ?? { fast: [], slow: [] });
  const planned = plan.kind === "ready" ? plan.checks : [];
  const runs = state.verified.runs.filter(({ oracle, held_out }) => oracle === undefined && held_out === undefined);
  const quick = new Set(
    runs.filter((run) => isGreenRun(run) && run.duration_ms <= msMax).map(({ template_id }) => template_id),
  );
  return [...planned, ...work.checks.choose(state)].filter(
    ({ templateId, once }) => once !== true && quick.has(templateId),
  );
}

/** Writes the change as the checks saw it: without the builder's ignored files. */
async function writeCandidate(session: RunningSession, tree: string): Promise<void> {
  const { place, store, config, recipes } = session;
  const { evidence, observation } = readCandidate(session);
  const { ignored } = listPinnedPaths(evidence, { ...config.verification, recipes, wanted: [] });
  const shown = place.rewind(observation, ignored.map(decodeChangePath));
  const changed = evidence.changes.filter(({ standing }) => standing !== "ignored");
  const paths = [...changed, ...ignored].map(decodeChangePath);
  const pick = (find: (path: string) => Entry | null): Manifest =>
    new Map(
      [...new Set([...listParents(paths), ...paths])].flatMap((path) => {
        const entry = find(path);
        return entry === null ? [] : [[path, entry] as const];
      }),
    );
  const plan = planRestoration(
    pick((path) => place.findEntry(shown, path)),
    pick((path) => findEntryAt(tree, path)),
  );
  await restore({ folder: tree, store, plan, isPassing: true });
}
