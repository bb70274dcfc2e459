import { createHash } from "node:crypto";
import { REMEMBERED_STATUS, type RememberedStatus } from "../records/remembered-status.ts";
import { type Config, makeDefaultConfig } from "../config/config.ts";
import type { KeptWork } from "../records/kept-work.ts";
import { GivenBackFold } from "../journal/pure/given-back.ts";
import { findLastAccepted, isAllSettled, RunsFold, AcceptedFold } from "../journal/pure/journal-runs.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { keepOpenSeries, keepWaitingSeries, SeriesFold } from "../workflows/pure/last-series.ts";
import { findSettlement } from "../tick/pure/tick-facts.ts";
import { type TickRecord, TickRecords } from "../tick/pure/tick-records.ts";
import { locateKeptFolder, nameMetaPath } from "../store/rescue.ts";
import { readNow } from "../system/read-files.ts";
import { writeRemembered } from "../journal/remembered-file.ts";
import { describeAgentProgram } from "./agent-programs.ts";
import { describeBudgets } from "./budget-use.ts";
import { parseConfigText } from "./config-file.ts";
import { HeldFold, listHeldHere } from "../journal/pure/held-work.ts";
import { describeLastTick } from "./last-tick.ts";
import { listUnfinishedWork } from "../workflows/pure/left-work.ts";
import type { LockedWorkspace } from "./workspace.ts";
import type { LineFold } from "../records/folded-lines.ts";
import { RateLimitFold } from "../journal/pure/rate-limit.ts";
import type { Journal } from "../journal/journal.ts";

/** Remembers what `relais status` will be asked for, so that it need not read a journal of many ticks. */

type ChangedPaths = NonNullable<RememberedStatus["change"]>["paths"];

const META_BYTES_MAX = 1024 * 1024;

/** Only the calm case: while something has to be compared or continued, everything is read. */
export function rememberStatus(workspace: LockedWorkspace): void {
  const { repository, stateDirectory, journal, fileText } = workspace;
  const { root } = repository;
  const config = readOwnConfig(workspace);
  const records = journal.foldRecent(TickRecords).all();
  if (config === null || !isCalm(workspace, records)) return;
  const planner = describeAgentProgram("orchestrator", config);
  if (planner.mode !== "claude_code" || planner.program === null) return;
  const state = journal.fold(WorkspaceFold).state(config.budgets);
  const change = findChange(workspace);
  if (change === "unknown") return;
  const remembered: RememberedStatus = {
    root,
    configText: fileText,
    workspaceDir: config.workspace_dir,
    lockfile: config.runner.lockfile,
    planner: planner.program,
    ...describeLast(records, listHeldHere(journal, root)),
    openSeries: keepOpenSeries(journal.fold(SeriesFold).list(root)),
    question: state.open_question,
    change,
    budgets: describeBudgets(state, config),
  };
  writeRemembered(stateDirectory, REMEMBERED_STATUS, remembered);
}

function describeLast(
  records: readonly TickRecord[],
  held: RememberedStatus["waiting"],
): Pick<RememberedStatus, "lastTick" | "lastTickAt" | "waiting"> {
  const last = records.findLast(({ endedAt }) => endedAt !== null);
  if (last === undefined) return { lastTick: null, lastTickAt: null, waiting: [] };
  return {
    lastTick: describeLastTick(last),
    lastTickAt: last.endedAt,
    waiting: [...held, ...listUnfinishedWork(last)],
  };
}

/** Whether every tick is of this folder and over, and no series waits. */
function isCalm({ journal, repository: { root } }: LockedWorkspace, records: readonly TickRecord[]): boolean {
  const places = journal.fold(RunsFold).listPlaces();
  return (
    isAllSettled(records) &&
    places.every(({ worktree }) => worktree === root) &&
    keepWaitingSeries(journal.fold(SeriesFold).list(root)).length === 0
  );
}

/** As the file says, without what was found and without the choices of the command line. */
function readOwnConfig({ config, configText, fileText }: LockedWorkspace): Config | null {
  if (fileText === null) return makeDefaultConfig();
  if (configText === fileText) return config;
  const parsed = parseConfigText(Buffer.from(fileText));
  return parsed.kind === "config" ? parsed.config : null;
}

/** Null if none waits. */
function findChange(workspace: LockedWorkspace): RememberedStatus["change"] | "unknown" {
  const { journal, repository } = workspace;
  const record = findLastAccepted(journal, new Set([repository.root]));
  if (record === null || findSettlement(record.state).isCommitted) return null;
  const { base, judged } = record.facts;
  const { files_touched: files, new_files: newFiles } = judged.blast_radius;
  const paths = readPaths(workspace, record.runId);
  if (paths === null) return "unknown";
  return { runId: record.runId, files, newFiles, baseCommit: base.base_commit, paths };
}

/** From the document of the accepted work, if it is the one of the journal and not too long. */
function readPaths({ journal, stateDirectory }: LockedWorkspace, runId: string): ChangedPaths | null {
  const line = journal.linesOf(runId).findLast(({ event }) => event.type === "settled");
  const recorded = line?.event.type === "settled" ? line.event.kept_sha256 : undefined;
  const text = readSmall(nameMetaPath(locateKeptFolder(stateDirectory, "accepted", runId)));
  if (text === null || createHash("sha256").update(text).digest("hex") !== recorded) return null;
  const { files }: KeptWork = JSON.parse(text.toString("utf8"));
  return files.map((file) => ({ path: file.path, path_base64: file.path_base64, before: file.before }));
}

function readSmall(path: string): Buffer | null {
  try {
    return readNow(path, { bytesMax: META_BYTES_MAX });
  } catch {
    return null;
  }
}

/** Leaves a summary of the journal, so that the next command need not read the lines of many ticks. */

const KINDS: readonly (new () => Required<LineFold>)[] = [
  AcceptedFold,
  GivenBackFold,
  HeldFold,
  RateLimitFold,
  RunsFold,
  SeriesFold,
  WorkspaceFold,
];

/** Not while a tick is open, and not of a short journal, which is read as fast. */
export function rememberJournal(journal: Journal): void {
  const recent = journal.recent();
  const first = recent.at(0)?.seq ?? 0;
  if (first === 0 || !isAllSettled(journal.foldRecent(TickRecords).all())) return;
  const known = new Set(recent.flatMap(({ run_id, event }) => (event.type === "tick_started" ? [run_id] : [])));
  const older = journal
    .fold(AcceptedFold)
    .newest()
    .filter((runId) => !known.has(runId))
    .flatMap((runId) => journal.linesOf(runId).filter(({ seq }) => seq < first));
  journal.summarise({ older, folds: Object.fromEntries(KINDS.map((kind) => [kind.name, journal.fold(kind).save()])) });
}
