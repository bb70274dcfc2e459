/** What the lines of a journal must mean, by a small fold that shares nothing with relais. */
import type { JournalLine, TickEvent } from "../../src/records/event.ts";
import { Violation } from "./violation.ts";

interface Tick {
  readonly types: Set<string>;
  judged: string | null;
  /** Null where its checks passed. */
  verified: string | null | undefined;
  isInterrupted: boolean;
  settled: string | null;
  isOver: boolean;
}

/** After its end, a tick has only these lines. A rollback that failed may succeed later. */
const AFTERWARDS: ReadonlySet<string> = new Set<TickEvent["type"]>([
  "accepted",
  "undone",
  "answered",
  "pruned",
  "abandoned",
  "settled",
]);
/** Before anything happens after one of these lines, it is on the disk. */
export const PROMISES: ReadonlySet<string> = new Set<TickEvent["type"]>([
  "preflight_passed",
  "build_started",
  "build_ended",
  "settle_started",
  "settled",
  "tick_ended",
  "accepted",
  "undone",
]);

export class JournalRules {
  readonly #ticks = new Map<string, Tick>();
  readonly #budget: number;
  #builders = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  take({ run_id, event }: JournalLine): void {
    const tick = this.#find(run_id);
    const demand: Demand = (holds, what) => {
      if (!holds) throw new Violation(`${event.type} of ${run_id}: ${what}`);
    };
    demand(!tick.isOver || AFTERWARDS.has(event.type), "the tick has ended");
    demand(event.type !== "tick_started" || tick.types.size === 0, "the tick began before");
    if (event.type === "build_started") {
      this.#builders += 1;
      demand(tick.types.has("prepared"), "nothing was observed before");
      demand(this.#builders <= this.#budget, `it is session ${this.#builders} of ${this.#budget}`);
    }
    demand(event.type !== "judged" || tick.types.has("build_ended"), "nothing was built");
    if (event.type === "judged") tick.judged = event.code;
    if (event.type === "verified") tick.verified = event.code;
    if (event.type === "interrupted") tick.isInterrupted = true;
    demand(event.type !== "accepted" || tick.settled === "accept", "the change was not kept before");
    takeEnd(tick, event, demand);
    tick.types.add(event.type);
  }

  /** The ticks whose change is kept, in their order; null where a person gave one up, with whatever it left. */
  listKept(): readonly string[] | null {
    const ticks = [...this.#ticks];
    if (ticks.some(([, { types }]) => types.has("abandoned"))) return null;
    return ticks.flatMap(([runId, { settled }]) => (settled === "accept" || settled === "commit" ? [runId] : []));
  }

  #find(runId: string): Tick {
    const known = this.#ticks.get(runId);
    if (known !== undefined) return known;
    const tick: Tick = {
      types: new Set(),
      judged: null,
      verified: undefined,
      isInterrupted: false,
      settled: null,
      isOver: false,
    };
    this.#ticks.set(runId, tick);
    return tick;
  }
}

type Demand = (holds: boolean, what: string) => void;

/** How a tick is settled, and what a person does with it later. */
function takeEnd(tick: Tick, event: TickEvent, demand: Demand): void {
  const isKept = tick.settled === "accept" || tick.settled === "commit";
  if (event.type === "settled") {
    demand(event.action === "rollback" || isPassed(tick), "kept, and it was not judged and checked");
    demand(!tick.isOver || event.action === "rollback", "kept after its end");
    tick.settled = event.action;
  } else if (event.type === "tick_ended") {
    demand(event.code !== "SUCCESS" || isKept, "nothing was kept");
    tick.isOver = true;
  } else if (event.type === "undone") {
    demand(isKept, "there was nothing to undo");
    tick.settled = "undone";
  }
}

function isPassed({ judged, verified, isInterrupted }: Tick): boolean {
  return judged === "SUCCESS" && verified === null && !isInterrupted;
}
