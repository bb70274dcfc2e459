/**
 * Held changes that wait for a person. One waits until a tick that kept it, or kept other work for the same leaf, story,
 * task or goal, took its place, or until a person rejected it. Its work stays in salvage in any case.
 */
import type { JournalLine, TickEvent } from "../../records/event.ts";
import type { Finding } from "../../records/judgement.ts";
import { type FoldedLines, foldShared, type LineFold } from "../../records/folded-lines.ts";
import type { WaitingThing } from "../../records/status-answers.ts";
import { HELD, isSuspicion, nameUnit } from "../../records/suspicions.ts";
import { describeSuspicion } from "../../tick/pure/decisive-words.ts";

export interface HeldWork {
  readonly runId: string;
  readonly seriesId: string;
  readonly worktree: string;
  /** The leaf, story, task or goal that it was made for. */
  readonly unit: string;
  /** The first finding, with its place. */
  readonly what: string;
}

interface OpenTick {
  readonly seriesId: string;
  readonly workflow: string;
  readonly worktree: string;
  unit: string;
  what: string;
  landed: string | null;
  changes: boolean;
  isKept: boolean;
  salvage: string | null;
}

export class HeldFold implements LineFold {
  private waiting: HeldWork[] = [];
  private readonly open = new Map<string, OpenTick>();

  take = ({ run_id: runId, series_id: seriesId, event }: JournalLine): void => {
    if (event.type === "rejected") this.drop((work) => work.runId === runId);
    if (event.type === "tick_started") this.open.set(runId, startTick(seriesId, event));
    const tick = this.open.get(runId);
    if (tick === undefined) return;
    if (event.type === "tick_ended") this.end(runId, tick, event.code);
    else note(tick, event);
  };

  /** The oldest first. */
  list(): readonly HeldWork[] {
    return [...this.waiting];
  }

  /** Between two ticks. */
  save(): string {
    return JSON.stringify(this.waiting);
  }

  load(text: string): void {
    this.waiting = JSON.parse(text);
  }

  private end(runId: string, tick: OpenTick, code: string): void {
    this.open.delete(runId);
    const { worktree, what, landed } = tick;
    // What lands was made for the same as before.
    const { seriesId, unit } = this.waiting.find((work) => work.runId === landed) ?? tick;
    const isHeld = code === HELD && tick.salvage === runId;
    if (tick.isKept) this.drop((work) => work.seriesId === seriesId && work.unit === unit);
    if (!isHeld) return;
    this.drop((work) => work.runId === landed);
    this.waiting.push({ runId, worktree, seriesId, unit, what });
  }

  private drop(isOver: (work: HeldWork) => boolean): void {
    this.waiting = this.waiting.filter((work) => !isOver(work));
  }
}

function startTick(seriesId: string, started: Extract<TickEvent, { type: "tick_started" }>): OpenTick {
  const { workflow, worktree } = started;
  return {
    seriesId,
    workflow,
    worktree,
    unit: "",
    what: "",
    landed: null,
    changes: false,
    isKept: false,
    salvage: null,
  };
}

function note(tick: OpenTick, event: TickEvent): void {
  if (event.type === "planned") tick.unit = nameUnit(tick.workflow, event.task.task_id);
  else if (event.type === "build_started") tick.landed = event.landed?.name ?? null;
  else noteEnd(tick, event);
}

function noteEnd(tick: OpenTick, event: TickEvent): void {
  if (event.type === "settled") {
    tick.isKept = event.action !== "rollback" && tick.changes;
    tick.salvage = event.salvage;
  }
  if (event.type === "judged") {
    tick.changes = event.blast_radius.files_touched > 0;
    tick.what = nameFirst(event.findings);
  }
  if (event.type === "verified" && tick.what === "") tick.what = nameFirst(event.findings);
}

function nameFirst(findings: readonly Finding[]): string {
  const first = findings.find(isSuspicion);
  return first === undefined ? "" : describeSuspicion(first);
}

/** Of these lines, which are those of one repository. */
export function listHeldWork(lines: readonly JournalLine[]): readonly HeldWork[] {
  return foldShared(lines).fold(HeldFold).list();
}

/** Held changes of this worktree, the newest first, each with the command that keeps it. */
export function listHeldHere(journal: FoldedLines, root: string): readonly WaitingThing[] {
  const own = journal
    .fold(HeldFold)
    .list()
    .filter(({ worktree }) => worktree === root);
  return own.toReversed().map(({ runId, what }) => ({
    kind: "held",
    runId,
    what: `the held change of ${runId} (${what})`,
    command: `relais accept ${runId}`,
  }));
}
