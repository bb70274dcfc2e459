import type { Status, WaitingThing } from "../../records/status-answers.ts";
import type { BudgetPoint } from "../../journal/pure/rate-limit.ts";
import type { TickRecord } from "../../tick/pure/tick-records.ts";
import { makeMoneyPage } from "./money-page.ts";
import type { InboxItem, PageAction, RepositoryPage, SeriesRow } from "./repository-documents.ts";

/** Work that was reverted, as `relais salvage` lists it. */
interface SalvagedWork {
  readonly runId: string;
  readonly keptAt: string;
  readonly code: string;
  readonly files: number;
}

interface RepositorySource {
  readonly status: Status;
  /** Of the linked worktrees, which share the journal. */
  readonly others: readonly Status[];
  readonly records: readonly TickRecord[];
  readonly series: readonly SeriesRow[];
  /** How the budgets of the milestone were used up. */
  readonly course: readonly BudgetPoint[];
  readonly salvage: readonly SalvagedWork[];
  readonly scorecard: RepositoryPage["scorecard"];
  /** The tick whose change `relais undo` would revert. */
  readonly undoable: string | null;
}

const SALVAGE_SHOWN = 20;

/** A repository as it is now, from the same status as `relais status --json`. */
export function makeRepositoryPage(source: RepositorySource): RepositoryPage {
  const { status, records, series, undoable } = source;
  const { branch, accepted, budgets } = status;
  const running = [status, ...source.others].find((one) => one.running !== null)?.running ?? null;
  return {
    kind: "repository",
    branch,
    running: running && {
      runId: running.runId,
      pid: running.pid,
      since: records.find(({ runId }) => runId === running.runId)?.startedAt ?? null,
      waitsUntil: running.waitsUntil,
      isPausing: running.isPausing ?? false,
    },
    ticks: records.length,
    series,
    inbox: listInbox(source),
    money: makeMoneyPage({ records, budgets, course: source.course }),
    undoable,
    acceptable: accepted?.runId ?? null,
    trouble: describeTrouble(status),
    scorecard: source.scorecard,
  };
}

function describeTrouble({ notPutBack, damagedLock, missingLines, lost, config }: Status): string | null {
  if (notPutBack !== null) return `The rollback of ${notPutBack.runId} failed. Run \`relais recover\`.`;
  if (damagedLock !== null) return `The lock ${damagedLock.path} cannot be read. Run \`relais recover\`.`;
  if (lost !== null) return `The tick ${lost.runId} was interrupted without a record. Run \`relais recover\`.`;
  if (missingLines > 0) return `${missingLines} lines of the journal are missing. Run \`relais recover\`.`;
  return config.kind === "unusable" ? config.message : null;
}

/** What waits for a person, the most urgent first; reverted work last. */
function listInbox(source: RepositorySource): readonly InboxItem[] {
  const { status, others, salvage } = source;
  const all = [status, ...others].flatMap((one) => (one.waiting ?? []).map((thing) => makeItem(thing, one)));
  const waiting = all.filter((item, at) => all.findIndex((other) => isSameItem(item, other)) === at);
  const known = new Set(waiting.map(({ runId }) => runId));
  const isRunning = [status, ...others].some(({ running }) => running !== null);
  const kept = salvage
    .filter(({ runId }) => !known.has(runId))
    .slice(0, SALVAGE_SHOWN)
    .map(({ runId, code, files }): InboxItem => {
      const what = `reverted work of ${runId}: ${files} file${files === 1 ? "" : "s"}, ${code}`;
      const actions: readonly PageAction[] = isRunning ? [] : ["apply"];
      return { kind: "salvage", what, command: `relais salvage apply ${runId}`, runId, question: null, actions };
    });
  return [...waiting, ...kept];
}

/** A question belongs to the journal, so each worktree names it. */
function isSameItem(one: InboxItem, other: InboxItem): boolean {
  return one.kind === other.kind && one.what === other.what;
}

function makeItem(thing: WaitingThing, status: Status): InboxItem {
  const { kind, what, command, runId: about = null } = thing;
  const item = { kind, what, command, question: null };
  const { question } = status;
  if (kind === "question" && question !== null) {
    const { prompt, choices, run_id: runId } = question;
    return { ...item, runId, question: { prompt, choices }, actions: ["answer", "drop"] };
  }
  // Accepting runs the checks, for which the terminal is the place.
  if (kind === "held") return { ...item, runId: about, actions: status.running === null ? ["reject"] : [] };
  if (kind === "change") return { ...item, ...describeWaitingChange(status) };
  return { ...item, runId: status.unfinished?.runId ?? null, actions: [] };
}

/** Held by a running relais, or kept and not committed. */
function describeWaitingChange({ running, accepted }: Status): Pick<InboxItem, "runId" | "actions"> {
  if (running !== null) return { runId: running.runId, actions: ["accept", "reject"] };
  return { runId: accepted?.runId ?? null, actions: ["accept", "undo"] };
}
