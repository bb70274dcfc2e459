/** The budgets of the milestone or of the series, whichever is nearer to its cap. */
import type { Config } from "../config/config.ts";
import type { WorkspaceState } from "../records/state.ts";
import { formatDollars } from "../base/words.ts";
import { drawBar } from "../base/canvas.ts";
import { type FrameLine, measureLine, measureRoomBeside, makeRow, makeSpan, type PartPlace } from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";

/** The counted budgets: the word for people, the counter and its cap. */
export const COUNTERS = [
  ["ticks", "ticks", "max_ticks"],
  ["plans", "orchestrator_calls", "max_orchestrator_calls"],
  ["builds", "builder_calls", "max_builder_calls"],
  ["checks", "verify_runs", "max_verify_runs"],
  ["reviews", "reviewer_calls", "max_reviewer_calls"],
] as const;

type Caps = Config["budgets"]["per_milestone"];
type Counters = WorkspaceState["budgets"];

interface Account {
  readonly used: Counters;
  readonly caps: Caps;
}

/** Only what is in use, as many beside each other as there is room for. */
export function renderBudgetRows({ spent }: LiveModel, { columns }: Pick<PartPlace, "columns">): readonly FrameLine[] {
  if (spent === null) return [];
  const { state, budgets } = spent;
  const accounts = [
    { used: state.budgets, caps: budgets.per_milestone },
    ...(state.series === null ? [] : [{ used: state.series.budgets, caps: budgets.per_run }]),
  ];
  const cells = [...listCounters(accounts, budgets.warn_at_fraction), ...listCosts(accounts)];
  return packCells(cells, measureRoomBeside(columns)).map((line, index) =>
    makeRow(index === 0 ? "budget" : "", line, columns),
  );
}

const BAR_WIDTH = 6;

function listCounters(accounts: readonly Account[], warnAt: number): readonly FrameLine[] {
  return COUNTERS.flatMap(([name, counter, cap]) => {
    const [tightest] = accounts
      .map(({ used, caps }) => ({ used: used[counter], most: caps[cap] }))
      .filter(({ used }) => used > 0)
      .toSorted((a, b) => measureUse(b) - measureUse(a));
    if (tightest === undefined) return [];
    const { used, most } = tightest;
    const share = measureUse(tightest);
    const tone = share >= 1 ? "bad" : share >= warnAt ? "strong" : "good";
    return [[makeSpan(drawBar(used, most, BAR_WIDTH), tone), makeSpan(` ${used}/${most} ${name}`)]];
  });
}

function measureUse({ used, most }: { readonly used: number; readonly most: number }): number {
  return most === 0 ? 1 : used / most;
}

/** Only what the agents' programs have reported. */
function listCosts(accounts: readonly Account[]): readonly FrameLine[] {
  const [tightest] = accounts
    .map(({ used, caps }) => ({ used: used.estimated_cost_usd, most: caps.max_estimated_cost_usd }))
    .filter(({ used }) => used > 0)
    .toSorted((a, b) => measureUse({ ...b, most: b.most ?? 1 }) - measureUse({ ...a, most: a.most ?? 1 }));
  if (tightest === undefined) return [];
  const { used, most } = tightest;
  return [[makeSpan(`${formatDollars(used)}${most === null ? "" : ` of ${formatDollars(most)}`} reported`)]];
}

const GAP = "   ";

/** As many cells on a line as fit. */
function packCells(cells: readonly FrameLine[], room: number): readonly FrameLine[] {
  const lines: FrameLine[] = [];
  for (const cell of cells) {
    const last = lines.at(-1);
    const beside = last === undefined ? cell : [...last, makeSpan(GAP), ...cell];
    if (last === undefined || measureLine(beside) > room) lines.push(cell);
    else lines[lines.length - 1] = beside;
  }
  return lines;
}
