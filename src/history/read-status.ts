import { join } from "node:path";
import { describeAgentProgram, findMissingProgram } from "../workspace/agent-programs.ts";
import { describeGoal, isGoalEmpty } from "../tick/goal-file.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import type { StatusRequest, runPreflight } from "./status-preflight.ts";
import { findRollbackFailure, findSettlement } from "../tick/pure/tick-facts.ts";
import type { StatusTicks, Status, WaitingThing } from "../records/status-answers.ts";
import type { JournalLine } from "../records/event.ts";
import { findNotPutBackRun, findUnfinishedRun, findLastAcceptedRun } from "../journal/pure/journal-runs.ts";
import { openSeries, listWaitingSeries } from "../workflows/pure/last-series.ts";
import { waitBehind } from "../workflows/pure/series-waits.ts";
import { type TickRecord, listTickRecords } from "../tick/pure/tick-records.ts";
import { countSecondsSince } from "../system/clock.ts";
import { describeLastTick } from "../workspace/last-tick.ts";
import type { LockReading } from "../journal/acquire-lock.ts";
import { SENTINELS } from "../records/campaign-files.ts";
import type { LastSeries } from "../records/series.ts";
import { locateCampaignFolder } from "../workflows/pure/campaign-names.ts";
import { isFile, isFolder } from "../system/read-files.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { listUnfinishedWork } from "../workflows/pure/left-work.ts";
import { listHeldHere } from "../journal/pure/held-work.ts";
import { foldShared } from "../records/folded-lines.ts";
import { listDecisions } from "./waiting-decisions.ts";
import type { CommandFailure, NotReady } from "../records/command-failure.ts";
import type { Head } from "../records/evidence.ts";
import type { Lock } from "../records/lock.ts";
import { foldWorkspaceState } from "../journal/pure/workspace-state.ts";
import { describeBudgets } from "../workspace/budget-use.ts";
import { findGitProgram } from "../git/git-program.ts";
import { readHeadFiles } from "../git/head-files.ts";
import { findHeldLock } from "../workspace/read-locks.ts";
import { findReplacedWorkspace } from "../workspace/workspace-refusals.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";

/** Why a tick needs a task file; null where the orchestrator can plan. Nobody is asked whether it is logged in. */
export async function findPlanTrouble(snapshot: WorkspaceSnapshot, request: StatusRequest): Promise<string | null> {
  const { config, configFile, repository } = snapshot;
  if (configFile.kind === "unusable") return null;
  const problem = await findDriverProblem(snapshot, request);
  if (problem !== null) return `The orchestrator cannot be used: ${problem}.`;
  const place = { root: repository.root, path: repository.environment["PATH"], config };
  const missing = await findMissingProgram("orchestrator", place);
  if (missing !== null) return missing;
  const workspace = join(repository.root, config.workspace_dir);
  return isGoalEmpty(workspace) ? describeGoal(workspace, config) : null;
}

/** Every configuration is good enough for Claude Code; the other drivers are loaded to say. */
async function findDriverProblem(
  { config, repository }: WorkspaceSnapshot,
  { player }: StatusRequest,
): Promise<string | null> {
  if (describeAgentProgram("orchestrator", config).mode === "claude_code") return null;
  const { chooseDriver } = await import("../agents/choose-driver.ts");
  const choice = await chooseDriver({ config, repository, player, role: "orchestrator" });
  return choice.kind === "refused" ? choice.problem : null;
}

/** What the journal says of single ticks, for somebody who asks where things stand. */

/** While a process holds the lock, no tick counts as interrupted. */
export function summariseTicks(lines: readonly JournalLine[], lock: LockReading, root: string): StatusTicks {
  const open = findUnfinishedRun(lines);
  const holder = lock.kind === "busy" ? lock.holder : null;
  const records = listTickRecords(lines);
  const last = records.findLast(({ endedAt }) => endedAt !== null) ?? null;
  return {
    running: holder && {
      runId: holder.run_id,
      pid: holder.pid,
      secondsAgo: countSecondsSince(holder.started_at),
      waitsUntil: waitBehind(lines, holder.run_id),
      asksUntil: findQuestionEnd(open),
    },
    unfinished:
      open === null || holder !== null
        ? null
        : { runId: open.runId, phase: open.state.phase, secondsAgo: countSecondsSince(open.startedAt) },
    notPutBack: holder === null ? describeNotPutBack(findNotPutBackRun(records)) : null,
    lastTick: last && describeLastTick(last),
    openSeries: holder === null ? openSeries(lines, root) : [],
  };
}

function findQuestionEnd(open: TickRecord | null): string | null {
  return open?.state.phase === "ask" ? open.state.asked.until : null;
}

function describeNotPutBack(record: TickRecord | null): StatusTicks["notPutBack"] {
  if (record === null) return null;
  const { runId, endedAt, startedAt, state } = record;
  return {
    runId,
    secondsAgo: countSecondsSince(endedAt ?? startedAt),
    differences: findRollbackFailure(state)?.differences ?? [],
  };
}

/** Everything that waits for a person, the most urgent first, each with the command that continues it. */

type KnownStatus = Pick<Status, "running" | "unfinished" | "question" | "accepted">;

export function listWaitingForPerson(snapshot: WorkspaceSnapshot, known: KnownStatus): readonly WaitingThing[] {
  // A running relais may be about to settle any of these.
  if (known.running !== null) return listAskedChange(known.running);
  const lines = listRepositoryLines(snapshot.lines, snapshot.repository);
  return [
    ...listDecisions(known),
    ...listWaitingSeries(lines, snapshot.repository.root)
      .filter((series) => isStillThere(series, snapshot))
      .map((series) => describeSeries(series, snapshot)),
    ...listHeldHere(foldShared(lines), snapshot.repository.root),
    ...listWorkOfLast(lines),
  ];
}

function listAskedChange({ runId, asksUntil = null }: NonNullable<Status["running"]>): readonly WaitingThing[] {
  if (asksUntil === null) return [];
  const what = `the change of ${runId}, until ${asksUntil}`;
  return [{ kind: "change", what, command: `relais accept ${runId}` }];
}

const NOUNS = { goal: "the goal", tree: "the tree", campaign: "the campaign" } as const;
const ENDS: Readonly<Record<string, string>> = {
  needs_human: "needs you",
  stuck: "is stuck",
  blocked: "is blocked",
  timeout: "used all its iterations",
};

function describeSeries({ options, end }: LastSeries, snapshot: WorkspaceSnapshot): WaitingThing {
  const [workflow = "", slug = ""] = options.command.split(" ");
  const kind = workflow === "goal" || workflow === "tree" ? workflow : "campaign";
  // Refused by an obstacle, cleaned, or planned again: nothing but the next run is missing.
  const folder = locateFolder(slug, snapshot);
  if (kind === "campaign" && !SENTINELS.some((sentinel) => isFile(join(folder, `${sentinel}.md`))))
    return { kind, what: `the campaign ${slug} is not finished`, command: `relais campaign run ${slug}` };
  const name = kind === "campaign" ? `${NOUNS.campaign} ${slug}` : NOUNS[kind];
  const commands = {
    goal: "relais goal status",
    tree: "relais tree show",
    campaign: `relais campaign status ${slug}`,
  };
  return { kind, what: `${name} ${ENDS[end ?? ""] ?? "has stopped"}`, command: commands[kind] };
}

/** A removed campaign or tree waits for nobody. */
function isStillThere({ options }: LastSeries, { repository, config }: WorkspaceSnapshot): boolean {
  const [workflow, slug = ""] = options.command.split(" ");
  if (workflow === "campaign") return isFolder(locateFolder(slug, { repository, config }));
  return workflow !== "tree" || isFile(join(repository.root, config.workspace_dir, "tree.json"));
}

function locateFolder(slug: string, { repository, config }: Pick<WorkspaceSnapshot, "repository" | "config">): string {
  return join(repository.root, locateCampaignFolder(config.workspace_dir, slug));
}

function listWorkOfLast(lines: Parameters<typeof listTickRecords>[0]): readonly WaitingThing[] {
  const last = listTickRecords(lines).findLast(({ endedAt }) => endedAt !== null);
  return last === undefined ? [] : listUnfinishedWork(last);
}

/**
 * `relais status`: reads only, without a lock, and waits for nobody: a running relais is part of
 * the answer.
 */

export function readStatus(request: StatusRequest): Promise<Status | CommandFailure> {
  return withSnapshot(request, (snapshot) => summariseStatus(snapshot, request));
}

/** The status of a workspace that was read already. */
export async function summariseStatus(snapshot: WorkspaceSnapshot, request: StatusRequest): Promise<Status | NotReady> {
  const unusable = await explainMissingGit(snapshot);
  if (unusable !== null) return unusable;
  const replaced = findReplacedWorkspace(snapshot.repository.root, snapshot.config);
  if (replaced !== null) return replaced;
  const head = await findHead(snapshot, request);
  const { lines, config, configFile } = snapshot;
  const state = foldWorkspaceState(lines, config.budgets);
  const lock = await findHeldLock(snapshot);
  const ownLines = listRepositoryLines(lines, snapshot.repository);
  const ticks = summariseTicks(ownLines, lock, snapshot.repository.root);
  const known = {
    ...ticks,
    running: ticks.running && { ...ticks.running, isPausing: await isPausing(snapshot) },
    question: state.open_question,
    accepted: await findAccepted(snapshot, { head, lines: ownLines }),
  };
  return {
    kind: "status",
    repository: snapshot.repository.root,
    branch: /^ref: refs\/heads\/(?<branch>.+)$/s.exec(head.text)?.groups?.["branch"] ?? null,
    config: configFile.kind === "config" ? { kind: "usable" } : configFile,
    ...describeTrouble(snapshot, lock),
    ...known,
    waiting: listWaitingForPerson(snapshot, known),
    budgets: isUsed(snapshot) ? describeBudgets(state, config) : null,
    planTrouble: await findPlanTrouble(snapshot, request),
    preflight: request.withPreflight ? await lookAhead(request, snapshot, lock) : null,
  };
}

/** Only whether there is one: its version matters to commands that run it. */
async function explainMissingGit({ repository }: WorkspaceSnapshot): Promise<NotReady | null> {
  if (findGitProgram(repository.root, repository.environment) !== null) return null;
  const { explainUnusableGit } = await import("../workspace/usable-git.ts");
  return explainUnusableGit(repository.root, repository.environment);
}

/** Git is asked only where the files do not say. */
async function findHead({ repository }: WorkspaceSnapshot, { signal }: StatusRequest): Promise<Head> {
  const found = readHeadFiles(repository);
  if (found !== null) return found;
  const { readHead } = await import("../git/head.ts");
  return readHead(repository, signal);
}

async function isPausing(snapshot: WorkspaceSnapshot): Promise<boolean> {
  const { isPauseRequested } = await import("../workspace/pause-runner.ts");
  return isPauseRequested(snapshot);
}

/** The files are compared only where a change may wait. */
async function findAccepted(
  snapshot: WorkspaceSnapshot,
  { head, lines }: { readonly head: Head; readonly lines: WorkspaceSnapshot["lines"] },
): Promise<Status["accepted"]> {
  const last = findLastAcceptedRun(lines, snapshot.repository.root);
  if (last === null || findSettlement(last.state).isCommitted) return null;
  const { findWaitingChange } = await import("../tick/waiting-change.ts");
  return findWaitingChange(snapshot, head);
}

async function lookAhead(...request: Parameters<typeof runPreflight>): ReturnType<typeof runPreflight> {
  return (await import("./status-preflight.ts")).runPreflight(...request);
}

/** Whether a person set relais up here, or a tick has run without that. */
function isUsed({ configFile, lines }: WorkspaceSnapshot): boolean {
  return configFile.kind === "config" || (configFile.kind === "missing" && lines.length > 0);
}

function describeTrouble(
  { missingLines, lostTick }: WorkspaceSnapshot,
  lock: LockReading,
): Pick<Status, "damagedLock" | "missingLines" | "lost"> {
  return {
    damagedLock: lock.kind === "corrupt" ? { path: lock.path, reason: lock.reason } : null,
    missingLines,
    lost: lostTick && { runId: lostTick.run_id, secondsAgo: countSecondsSince(lostTick.started_at) },
  };
}

export async function readHolder(snapshot: WorkspaceSnapshot): Promise<Lock | null> {
  const sighting = await findHeldLock(snapshot);
  return sighting.kind === "busy" ? sighting.holder : null;
}
