/** No session starts beyond a cap. It counts what starts, and not what the folds say. */
import type { JournalLine } from "../../../src/records/event.ts";
import type { Budget } from "./plan.ts";
import type { WatchedTick } from "./watch.ts";
import type { World } from "./world.ts";

const COUNTERS = ["orchestrator", "builder", "reviewer", "ticks", "dollars"] as const;
type Counter = (typeof COUNTERS)[number];
type Counts = Record<Counter, number>;

const nothing = (): Counts => ({ orchestrator: 0, builder: 0, reviewer: 0, ticks: 0, dollars: 0 });

/** The last event of a review repeats all of them, but each is paid once. */
function listCosts(event: JournalLine["event"], { paid }: Pick<WatchedTick, "paid">): readonly number[] {
  if (event.type === "decided") paid.clear();
  if (event.type === "review_answered" || event.type === "reviewed")
    return event.reviews.flatMap(({ name, usage }) => {
      if (paid.has(name)) return [];
      paid.add(name);
      return [usage?.cost_usd ?? 0];
    });
  return "usage" in event ? [event.usage?.cost_usd ?? 0] : [];
}

function isPlan({ type }: JournalLine["event"]): boolean {
  return type === "plan_started" || type === "planned";
}

export class BudgetWatch {
  readonly #world: World;
  readonly #series = new Map<string, Counts>();
  readonly #ticks = new Map<string, Counts>();
  /** The series of each tick that counts. */
  readonly #seriesOf = new Map<string, string>();
  /** The account of the present milestone, and its name. */
  #milestone: { readonly id: string | null; readonly counts: Counts } = { id: null, counts: nothing() };

  constructor(world: World) {
    this.#world = world;
  }

  take({ event }: JournalLine, tick: WatchedTick): void {
    if (isPlan(event)) this.#countTick(tick);
    if (event.type === "planned") this.#openMilestone(event.task.milestone_id, tick);
    this.#takeCosts(event, tick);
    if (event.type === "tick_ended" && !event.counted) this.#giveBack(tick);
  }

  #countTick(tick: WatchedTick): void {
    if (this.#of(this.#ticks, tick.runId).ticks > 0) return;
    this.#seriesOf.set(tick.runId, tick.seriesId);
    this.#count(tick, "ticks", 1);
  }

  /** After a power cut: a tick whose plan is in no line that is left had no session, and does not count. */
  forgetLost(lines: readonly JournalLine[]): void {
    this.#forgetCosts(lines);
    const planned = new Set(lines.filter(({ event }) => isPlan(event)).map(({ run_id }) => run_id));
    for (const [runId, seriesId] of this.#seriesOf) {
      if (planned.has(runId)) continue;
      this.#giveBack({ runId, seriesId });
      this.#seriesOf.delete(runId);
    }
  }

  /** Nobody can know what only a line told that is gone. */
  #forgetCosts(lines: readonly JournalLine[]): void {
    const known = new Map<string, number>();
    const ticks = new Map<string, Pick<WatchedTick, "paid">>();
    for (const { run_id: runId, event } of lines) {
      const tick = ticks.get(runId) ?? { paid: new Set<string>() };
      ticks.set(runId, tick);
      const dollars = listCosts(event, tick).reduce((sum, one) => sum + one, 0);
      known.set(runId, (known.get(runId) ?? 0) + dollars);
    }
    for (const [runId, own] of this.#ticks) {
      const lost = own.dollars - (known.get(runId) ?? 0);
      const all = [own, this.#of(this.#series, this.#seriesOf.get(runId) ?? runId), this.#milestone.counts];
      for (const counts of all) counts.dollars -= lost;
    }
  }

  /** What this tick has cost goes with it; the first milestone takes over everything. */
  #openMilestone(id: string, tick: WatchedTick): void {
    if (id === this.#milestone.id) return;
    const isFirst = this.#milestone.id === null;
    const own = this.#of(this.#ticks, tick.runId);
    this.#milestone = { id, counts: isFirst ? this.#milestone.counts : { ...own } };
  }

  #of(map: Map<string, Counts>, key: string): Counts {
    const found = map.get(key) ?? nothing();
    map.set(key, found);
    return found;
  }

  #count({ runId, seriesId }: WatchedTick, counter: Counter, amount: number): void {
    for (const counts of [this.#of(this.#series, seriesId), this.#of(this.#ticks, runId), this.#milestone.counts])
      counts[counter] += amount;
  }

  /** A tick that does not count gives back its calls, and not its dollars. */
  #giveBack({ runId, seriesId }: Pick<WatchedTick, "runId" | "seriesId">): void {
    const own = this.#of(this.#ticks, runId);
    for (const counter of COUNTERS.slice(0, -1))
      for (const counts of [this.#of(this.#series, seriesId), this.#milestone.counts]) counts[counter] -= own[counter];
    this.#ticks.set(runId, { ...nothing(), dollars: own.dollars });
  }

  #account({ seriesId }: WatchedTick): Counts {
    return this.#world.plan.budget.isOfMilestone ? this.#milestone.counts : this.#of(this.#series, seriesId);
  }

  sessionStarts(tick: WatchedTick, role: string): void {
    const counter = role === "verifier" ? "reviewer" : role;
    if (counter !== "orchestrator" && counter !== "builder" && counter !== "reviewer") return;
    this.#checkDollars(tick);
    this.#count(tick, counter, 1);
    const { budget } = this.#world.plan;
    // The next task may open another milestone, so a spent one does not keep anybody from planning.
    if (counter === "orchestrator" && budget.isOfMilestone) return;
    this.#demand(tick, counter, budget);
    if (counter === "builder") this.#demand(tick, "ticks", budget);
  }

  #demand(tick: WatchedTick, counter: Exclude<Counter, "dollars">, budget: Budget): void {
    const used = this.#account(tick)[counter];
    const cap = budget[counter];
    if (cap !== null && used > cap && !this.#world.watch.isBlind)
      this.#world.fail(`${counter} ${used} of ${cap}: a session beyond the budget`);
  }

  /** The costs that a session has told, and no line has yet. */
  readonly #told = new Map<string, number>();

  sessionCosts(process: number, dollars: number): void {
    this.#told.set(String(process), (this.#told.get(String(process)) ?? 0) + dollars);
  }

  #takeCosts(event: JournalLine["event"], tick: WatchedTick): void {
    const dollars = listCosts(event, tick).reduce((sum, one) => sum + one, 0);
    this.#count(tick, "dollars", dollars);
    const writer = String(this.#world.held?.process.pid);
    const left = (this.#told.get(writer) ?? 0) - dollars;
    this.#told.set(writer, left);
    if (event.type !== "tick_ended") return;
    this.#told.delete(writer);
    // A signal, a deadline or a failed measurement comes between a session and its line.
    if (Math.abs(left) > 1e-9 && event.cause === null && !this.#world.watch.isBlind)
      this.#world.fail(`${left} dollars that a session told are in no line`);
  }

  /** Nobody knows what a session costs before its end: no tick with a session begins at the cap. */
  #checkDollars(tick: WatchedTick): void {
    const { budget } = this.#world.plan;
    if (budget.dollars === null || budget.isOfMilestone || this.#world.watch.isBlind) return;
    const used = this.#account(tick).dollars - this.#of(this.#ticks, tick.runId).dollars;
    if (used >= budget.dollars + 1e-9) this.#world.fail(`${used} of ${budget.dollars} dollars: a tick at the cap`);
  }
}
