/**
 * What a person had not committed, as the base commit has it: through the filters of the repository, in the content store,
 * so that checks can run on what a commit of the change would hold.
 */
import type { Entry } from "../base/manifest.ts";
import type { Evidence } from "../records/evidence.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { listAbove } from "../evidence/pure/rewind.ts";
import { keepEntries } from "../store/content-store.ts";
import { layOutPaths } from "../store/workspace-commit.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readNames } from "../system/read-names.ts";
import { withPrivateFolder } from "../system/private-folder.ts";
import { findEntryAt } from "../system/walk.ts";
import { openFilterView } from "../git/filter-view.ts";
import { withObjects } from "../git/git-objects.ts";
import { listTree } from "../git/tree-listing.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { readInterruption, type RunningTick, TICK_TIMEOUT } from "./running-tick.ts";
import type { CodeOf } from "../base/codes.ts";
import { REPORT_LIMITS } from "../records/report.ts";
import type { Task } from "../records/task.ts";
import type { TickEvent } from "../records/event.ts";
import { unreachable } from "../base/errors.ts";
import { listHeldOutChecks, listHeldOutFiles } from "../checks/pure/held-out.ts";
import { listPinnedPaths } from "../checks/pure/oracle.ts";
import { type CommittedEntries, planStages, type VerifyStages } from "../checks/pure/stages.ts";
import { type Check, planChecks, type VerificationPlan, type WantedChecks } from "../checks/pure/verification-plan.ts";
import type { CheckRun } from "../checks/run-check.ts";
import { quoteChanges } from "../judge/pure/patch-files.ts";
import type { Finding } from "../records/judgement.ts";
import { readChangePatch } from "../evidence/change-patch.ts";
import { asksForFewerTests, asksForProof } from "../judge/pure/asked-work.ts";
import { isSuspicion, liftAccepted, OLD_TESTS } from "../records/suspicions.ts";
import { nameTickMarker } from "../process/reap-session.ts";
import { outlivesRedChecks } from "./pure/settle-action.ts";
import { leadsOutside } from "../system/leads-outside.ts";
import { readCandidate } from "./perform-judge.ts";
import { endUnjudged } from "./perform-settle.ts";
import { verifyChange } from "../checks/verify.ts";

const SUBMODULE = "160000";

/** Of the paths that the change leaves alone. Empty where everything was committed. */
async function readCommittedEntries(
  {
    tick: { signal },
    where: { repository, store, runDirectory, place },
    pinned: { settings, uncommitted },
  }: RunningTick,
  { base: { base_commit: commit } }: StateIn<"verify">,
  { changes }: Evidence,
): Promise<ReadonlyMap<string, Entry | null>> {
  if (uncommitted.length === 0) return new Map();
  const changed = new Set(changes.map(decodeChangePath));
  const paths = uncommitted.filter((path) => !changed.has(path));
  return withPrivateFolder(runDirectory, async (folder) => {
    const objectFormat = commit.length === 64 ? "sha256" : "sha1";
    const view = await openFilterView({ repository, settings, folder, objectFormat, signal });
    const tree = await withObjects(view.access, (read) => listTree(read, commit));
    const modes = new Map(tree.map(({ path, mode }) => [path, mode]));
    const present = paths.filter((path) => modes.has(path) && modes.get(path) !== SUBMODULE);
    await layOutPaths(view, commit, present);
    const gone = [...paths.filter((path) => !modes.has(path)), ...listEmptied(place.tree, paths, modes)];
    const [root, here] = [toBytePath(view.tree), toBytePath(place.tree)];
    const isFolder = (path: string): boolean => findEntryAt(here, path)?.type === "directory";
    const folders = present.flatMap(listAbove).filter((path) => !isFolder(path));
    return keepEntries(store, root, [
      ...gone.map((path) => [path, null] as const),
      ...folders.map((path) => readLaidOut(root, path, FOLDER_MODE)),
      ...present.map((path) => readLaidOut(root, path, modes.get(path) === "100755" ? PROGRAM_MODE : FILE_MODE)),
    ]);
  });
}

/** The folders that hold nothing but paths that no commit has: it has no such folder either. */
function listEmptied(
  tree: string,
  paths: readonly string[],
  committed: ReadonlyMap<string, unknown>,
): readonly string[] {
  const known = new Set([...committed.keys()].flatMap(listAbove));
  const gone = new Set(paths.filter((path) => !committed.has(path)));
  const folders = new Set([...gone].flatMap(listAbove).filter((path) => !known.has(path)));
  // The deepest first.
  for (const folder of [...folders].toSorted((one, other) => other.length - one.length)) {
    const names = readNames(joinBytes(toBytePath(tree), folder)) ?? new Set();
    if ([...names].every((name) => gone.has(`${folder}/${name}`))) gone.add(folder);
  }
  return [...folders].filter((folder) => gone.has(folder));
}

const FOLDER_MODE = 0o755;
const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;

function readLaidOut(
  root: string,
  path: string /** The folder of the view is private. */,
  mode: number,
): readonly [string, Entry | null] {
  const entry = findEntryAt(root, path);
  return [path, entry === null || entry.type === "symlink" ? entry : { ...entry, mode }];
}

export async function performVerify(session: RunningTick, state: StateIn<"verify">): Promise<TickEvent> {
  const plan = planTickChecks(session, state.wanted);
  if (plan.kind === "tainted") return refuseTainted(plan);
  const { changed, candidate } = await session.where.change.clean(readCandidate(session));
  if (changed.length > 0) throw endUnjudged(session, changed);
  session.left.candidate = candidate;
  const checks = [...plan.checks, ...session.work.checks.choose(state)];
  const committed = await readCommittedEntries(session, state, candidate.evidence);
  const stages = planTickStages(session, state, { evidence: candidate.evidence, checks, committed });
  // A trial begins with a rollback, which would take an edit since then away.
  const edited = stages[0].isTrial ? await session.where.change.changedSince(candidate) : [];
  if (edited.length > 0) throw endUnjudged(session, edited);
  const found = await quoteOldTests(session, stages, await verifyChange(openCheckRun(session), candidate, stages));
  switch (found.kind) {
    case "aborted":
      return readInterruption(session.tick.signal);
    case "tick-timed-out":
      return TICK_TIMEOUT;
    case "verified": {
      const { code, cause, runs, findings, tolerated, notes } = liftAccepted(found, candidate.evidence.rules.accepted);
      // An edited change is checked again, on top of what the first checks left.
      session.left.tolerated = [...new Set([...session.left.tolerated, ...tolerated])];
      return {
        type: "verified",
        code: chooseCode(state, code),
        cause,
        runs: [...runs],
        findings: findings.slice(0, REPORT_LIMITS.findings),
        ...(notes.length === 0 ? {} : { notes: [...notes] }),
      };
    }
    default:
      return unreachable(found);
  }
}

const isAsked = (finding: Finding): boolean => finding.gate === OLD_TESTS && isSuspicion(finding);

/** A person who is asked about other tests sees them; accepting lifts exactly what was shown. */
async function quoteOldTests<Found extends Awaited<ReturnType<typeof verifyChange>>>(
  session: RunningTick,
  stages: VerifyStages,
  found: Found,
): Promise<Found> {
  if (found.kind !== "verified" || !found.findings.some(isAsked)) return found;
  const { evidence } = readCandidate(session);
  const changed = stages.flatMap((stage) => (stage.name === "old_tests" ? stage.changed : []));
  const changes = evidence.changes.filter(({ path }) => changed.includes(path));
  const { patch } = await readChangePatch(session.where.store, session.tick.runId, { ...evidence, changes });
  const quote = quoteChanges(patch);
  return { ...found, findings: found.findings.map((finding) => (isAsked(finding) ? { ...finding, quote } : finding)) };
}

/** The checks of a task; their parameters name no path that leads outside. */
export function planTickChecks(
  { tick: { config }, where: { place } }: RunningTick,
  wanted: WantedChecks,
): VerificationPlan {
  return planChecks({ ...config.verification, leadsOutside: (path) => leadsOutside(place.tree, path) }, wanted);
}

interface CheckedChange {
  readonly evidence: Evidence;
  readonly checks: readonly Check[];
  readonly committed: CommittedEntries;
}

/** Tests are pinned if the configuration says so. A person's task may name tests that are to change. */
function planTickStages(
  {
    tick: {
      config: { verification },
    },
    pinned: { recipes },
    work,
  }: RunningTick,
  state: StateIn<"verify">,
  { evidence, checks, committed }: CheckedChange,
): VerifyStages {
  const wanted = work.task === null ? [] : listWantedTests(state.task);
  const pinned = listPinnedPaths(evidence, { ...verification, recipes, wanted });
  const words = evidence.rules.weakening?.task_text ?? "";
  const hasHeldOut = checks.length > 0 || state.started.workflow === "relay";
  return planStages({
    evidence,
    checks,
    pinned: verification.oracle === "pinned" ? pinned : { oracle: [], ignored: [] },
    heldOut: {
      checks: hasHeldOut ? listHeldOutChecks(verification) : [],
      files: listHeldOutFiles(verification),
      hidden: pinned.ignored,
    },
    committed,
    base: state.baseline?.runs ?? null,
    inherits: verification.inherited === "compare",
    hasSetup: verification.setup.length > 0,
    outlivesRed: outlivesRedChecks(state),
    asks: {
      otherTests: wanted.length > 0,
      changedTests: isAskedForTests(work),
      fewerTests: asksForFewerTests(words),
      proof: asksForProof(words),
    },
  });
}

/** Who accepted other tests is not asked for the same ones again. */
function isAskedForTests({ asksForTests = false, accepted = [] }: RunningTick["work"]): boolean {
  return asksForTests || accepted.some(({ gate }) => gate === OLD_TESTS);
}

function listWantedTests(task: Task): readonly string[] {
  return task.task_kind === "execute" ? (task.update_tests ?? []) : [];
}

export function openCheckRun(session: RunningTick): CheckRun {
  const {
    tick: { config, runId, signal, deadlineAt },
    where: { repository, place, change, sandbox, store, stateDirectory, runDirectory },
  } = session;
  const tick = { repository, config, place, change, sandbox, store, stateDirectory, signal, deadlineAt };
  return { ...tick, folder: runDirectory, marker: nameTickMarker(runId) };
}

/** Since the task was admitted, the work has put a link in the path of a check. */
function refuseTainted({ problems }: Extract<VerificationPlan, { kind: "tainted" }>): TickEvent {
  const [{ cause }] = problems;
  const code = "STOP_VERIFY_TAINTED";
  const findings = problems.map(({ message }) => {
    return { gate: "verification-plan", code, subject: "a check", rule: message, glob: null } as const;
  });
  return { type: "verified", code, cause, runs: [], findings };
}

/** A verify_only task has its own code. */
function chooseCode({ task }: StateIn<"verify">, code: CodeOf<"stop"> | null): CodeOf<"stop"> | null {
  const isOwnCode = task.task_kind === "verify_only" && code === "STOP_VERIFY_SIDE_EFFECTS";
  return isOwnCode ? "STOP_VERIFY_ONLY_SIDE_EFFECTS" : code;
}
