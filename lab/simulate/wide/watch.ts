/** What must hold in a world, told one thing after the other, so that each costs little. */
import type { JournalLine } from "../../../src/records/event.ts";
import { foldLines, type GrowingLines } from "../../../src/records/folded-lines.ts";
import type { Check } from "../../../src/checks/pure/verification-plan.ts";
import { evolve } from "../../../src/tick/pure/evolve.ts";
import { START, type TickState } from "../../../src/tick/pure/tick-state.ts";
import type { RunningTick } from "../../../src/tick/running-tick.ts";
import { BudgetWatch } from "./budget-watch.ts";
import { ChangeWatch } from "./change-watch.ts";
import { KINDS } from "./compare-folds.ts";
import { SeriesWatch } from "./series-watch.ts";
import type { World } from "./world.ts";

/** One tick, as its events tell it, and what the model knows besides. */
export interface WatchedTick {
  readonly runId: string;
  readonly seriesId: string;
  state: TickState;
  readonly checks: Map<string, boolean>;
  /** Reviewers whose cost is counted. */
  readonly paid: Set<string>;
  lastType: string;
  hadSession: boolean;
  announcedMs: number;
  startedMs: number;
  heldMs: number;
  askedMs: number;
}

export class Watch {
  nonce = "";
  /** Those that came to a session, and the others. */
  ticks = 0;
  refused = 0;
  events = 0;
  readonly codes = new Map<string, number>();
  readonly open = new Map<string, WatchedTick>();
  readonly world: World;
  readonly budget: BudgetWatch;
  readonly change: ChangeWatch;
  readonly series: SeriesWatch;
  /** The journal, folded by its events. */
  folded: GrowingLines;
  /** A disk that lies has lost what was promised: only what needs no promise is demanded. */
  isBlind = false;

  constructor(world: World) {
    this.world = world;
    this.budget = new BudgetWatch(world);
    this.change = new ChangeWatch(world);
    this.series = new SeriesWatch(world);
    this.folded = this.#fold([]);
  }

  #fold(lines: readonly JournalLine[]): GrowingLines {
    const folded = foldLines(lines);
    for (const kind of KINDS) folded.fold(kind);
    return folded;
  }

  take(line: JournalLine): void {
    const { event } = line;
    this.events += 1;
    if (event.type === "interrupted") this.#checkInterruption(event);
    this.folded.push(line);
    const tick = this.#evolve(line);
    if (tick === null) return;
    this.series.take(line, tick);
    this.budget.take(line, tick);
    if (!this.isBlind) this.change.take(line, tick);
    if (event.type !== "tick_ended") return;
    if (tick.hadSession) this.ticks += 1;
    else this.refused += 1;
    this.codes.set(event.code, (this.codes.get(event.code) ?? 0) + 1);
  }

  #evolve({ run_id: runId, series_id: seriesId, event, at }: JournalLine): WatchedTick | null {
    const known = this.open.get(runId);
    const made = {
      checks: new Map<string, boolean>(),
      paid: new Set<string>(),
      lastType: "",
      hadSession: false,
      announcedMs: 0,
      startedMs: Date.parse(at),
      heldMs: 0,
      askedMs: 0,
    };
    const tick: WatchedTick = known ?? { runId, seriesId, state: START, ...made };
    this.open.set(runId, tick);
    try {
      tick.state = evolve(tick.state, event);
    } catch (error) {
      this.world.fail(`the journal does not fold: ${String(error)}`);
      return null;
    }
    tick.lastType = event.type;
    // Of several sessions side by side, one may answer before another one has its turn to start.
    if (event.type.endsWith("_started")) tick.announcedMs = Date.parse(at);
    if (event.type === "asked") tick.askedMs = Date.parse(at);
    if (event.type === "decided") tick.heldMs += Date.parse(at) - tick.askedMs;
    return tick;
  }

  /** A step that fails for no reason of the world has a bug, of relais or of the model. */
  #checkInterruption({ cause, message }: Extract<JournalLine["event"], { type: "interrupted" }>): void {
    // The disk may be free again when the event is recorded.
    const isOfWorld = cause === "measurement_failed" || message?.startsWith("no space left") === true;
    if (cause.endsWith("_failed") && !isOfWorld) this.world.fail(`${cause}: ${message ?? ""}`);
  }

  /** After a power cut: the lines that are left say everything. */
  reread(): void {
    this.isBlind ||= this.world.plan.isLying;
    const lines = this.world.journal.list();
    this.folded = this.#fold(lines);
    this.open.clear();
    this.series.forget();
    this.budget.forgetLost(lines);
    for (const line of lines) {
      const tick = this.#evolve(line);
      if (tick !== null) this.series.fold(line, tick);
    }
  }

  tickOf(runId: string): WatchedTick | null {
    return this.open.get(runId) ?? null;
  }

  sessionStarts(
    { tick: { runId, config } }: RunningTick,
    { role, name }: { readonly role: string; readonly name: string },
  ): void {
    const tick = this.tickOf(runId);
    if (tick === null) throw this.world.fail("a session without a tick");
    tick.hadSession = true;
    const announced =
      role === "orchestrator" ? ["plan_started"] : ["build_started", "review_started", "review_answered"];
    if (!announced.includes(tick.lastType)) this.world.fail(`a session of the ${role} after ${tick.lastType}`);
    if (this.world.journal.lines.at(-1)?.isSafe !== true) this.world.fail("a session whose line is not on the disk");
    const { started } = "started" in tick.state ? tick.state : { started: null };
    const seconds = started?.max_tick_seconds ?? config.runner.max_tick_seconds;
    // By the line that announces it: the clock may jump while a program starts.
    if (tick.announcedMs - tick.startedMs - tick.heldMs > seconds * 1000)
      this.world.fail(`a session of the ${role} after the time of the tick`);
    const { signalledAt } = this.world.held?.process ?? { signalledAt: null };
    // The event of the step in which it came is still recorded.
    if (signalledAt !== null && this.events > signalledAt + 1)
      this.world.fail(`a session of the ${role} after a signal`);
    if (tick.paid.has(name)) this.world.fail(`the ${role} ${name} has answered, and is asked again`);
    this.budget.sessionStarts(tick, role);
  }

  checkStarts(runId: string, { templateId }: Check): void {
    this.tickOf(runId)?.checks.set(templateId, false);
  }

  /** The last run of a check counts. */
  checkEnds(runId: string, { templateId }: Check, passed: boolean): void {
    this.tickOf(runId)?.checks.set(templateId, passed);
  }

  /** Nothing is reverted or committed before the line that announces it is on the disk. */
  actsOn(what: string): void {
    if (this.world.journal.lines.at(-1)?.isSafe === true) return;
    this.world.fail(`${what} before its line is on the disk`);
  }
}
