/**
 * The lines of a journal, and folds of them.
 *
 * Most commands need the last ticks and a few totals, so a journal may be opened by its end: a summary has the recent
 * lines and what the folds made of all. The other lines are read when somebody asks for them.
 */
import type { JournalLine } from "./event.ts";

export interface LineFold {
  readonly take: (line: JournalLine) => void;
  /** What it made of the lines so far, as text; absent where that would be as long as the lines. */
  readonly save?: () => string;
  /** Continues from what the same version saved. */
  readonly load?: (saved: string) => void;
}

type FoldKind<Fold extends LineFold> = new () => Fold;

export interface FoldedLines {
  readonly lines: () => readonly JournalLine[];
  /** Those of the last ticks, and no less than the live view shows. */
  readonly recent: () => readonly JournalLine[];
  /** All lines of one tick. */
  readonly linesOf: (runId: string) => readonly JournalLine[];
  /** All lines of one series, also those that are still to come. */
  readonly linesOfSeries: (seriesId: string) => readonly JournalLine[];
  /** Created once for each kind and given every new line, so that a tick costs the same after many others. */
  readonly fold: <Fold extends LineFold>(kind: FoldKind<Fold>) => Fold;
  /** The same of the last ticks. Every tick before them is over, and its change is settled. */
  readonly foldRecent: <Fold extends LineFold>(kind: FoldKind<Fold>) => Fold;
}

export interface GrowingLines extends FoldedLines {
  readonly push: (line: JournalLine) => void;
  /** Every line from the first of the last ticks on. */
  readonly tail: () => readonly JournalLine[];
  /** Every line that is known without reading. */
  readonly known: () => readonly JournalLine[];
}

/** The end of a journal whose other lines were not read. */
export interface JournalEnd {
  readonly recent: readonly JournalLine[];
  /** Lines of single older ticks. */
  readonly older: readonly JournalLine[];
  /** What the folds saved, by their names. */
  readonly folds: Readonly<Record<string, string>>;
  /** Reads every line up to the last recent one. */
  readonly readAll: () => readonly JournalLine[];
  /** Reads those of one series. */
  readonly readSeries: (seriesId: string) => readonly JournalLine[];
}

/** `relais history list` shows as many. */
export const RECENT_TICKS = 20;
/** As many as the live view shows of earlier ticks. */
export const RECENT_LINES = 120;

/** Where the last ticks begin: short ones are more than usual, because no tick is cut in two. */
export function findRecent(lines: readonly JournalLine[]): number {
  let ticks = 0;
  for (let at = lines.length - 1; at > 0; at -= 1) {
    if (lines[at]?.event.type !== "tick_started") continue;
    ticks += 1;
    if (ticks >= RECENT_TICKS && lines.length - at >= RECENT_LINES) return at;
  }
  return 0;
}

export function foldLines(first: readonly JournalLine[]): GrowingLines {
  return growLines({ known: [...first], older: [], saved: {}, readAll: null, readSeries: () => [] });
}

/** The lines of a journal only grow, so each list of them is folded once. */
const shared = new WeakMap<readonly JournalLine[], GrowingLines>();

/** The folds of a list that its owner adds to, for all who look at it. */
export function foldShared(lines: readonly JournalLine[]): FoldedLines {
  const folded = shared.get(lines) ?? foldLines(lines);
  for (const line of lines.slice(folded.known().length)) folded.push(line);
  shared.set(lines, folded);
  return folded;
}

/** Only this part is known, until somebody asks for another line. */
export function foldEnd({ recent, older, folds, readAll, readSeries }: JournalEnd): GrowingLines {
  return growLines({ known: [...recent], older, saved: folds, readAll, readSeries });
}

interface Start {
  readonly known: JournalLine[];
  readonly older: readonly JournalLine[];
  readonly saved: Readonly<Record<string, string>>;
  /** Null once all lines are known. */
  readonly readAll: (() => readonly JournalLine[]) | null;
  readonly readSeries: JournalEnd["readSeries"];
}

function growLines({ older, saved, readSeries, ...start }: Start): GrowingLines {
  let { known, readAll } = start;
  const summarised = known.length;
  const folds = new Map<new () => LineFold, LineFold>();
  const recentFolds = new Map<new () => LineFold, LineFold>();
  // A series has the name of its first tick.
  const isWhole = (id: string): boolean =>
    readAll === null || known.some(({ run_id, event }) => run_id === id && event.type === "tick_started");
  const series = openSeriesLines((id) => (isWhole(id) ? known : [...readSeries(id), ...known.slice(summarised)]));
  const isOfKnownTick = openKnownTicks();
  for (const line of known) isOfKnownTick(line);
  const lines = (): readonly JournalLine[] => {
    if (readAll === null) return known;
    known = [...readAll(), ...known.slice(summarised)];
    readAll = null;
    // What was saved may leave out what only some commands need; now it is there.
    folds.clear();
    return known;
  };
  const startFold = <Fold extends LineFold>(kind: FoldKind<Fold>): Fold => {
    const state = readAll === null ? undefined : saved[kind.name];
    const loaded = state === undefined ? null : loadFold(kind, state, known.slice(summarised));
    return loaded ?? takeAll(new kind(), lines());
  };
  return {
    lines,
    known: () => known,
    recent: () => known.slice(findRecent(known)).filter(openKnownTicks()),
    tail: () => known.slice(findRecent(known)),
    linesOf: (runId) => {
      const isOfRun = ({ run_id }: JournalLine): boolean => run_id === runId;
      const found = known.findIndex((line) => isOfRun(line) && line.event.type === "tick_started");
      if (found !== -1) return known.slice(found).filter(isOfRun);
      const kept = readAll === null ? [] : older.filter(isOfRun);
      return kept.length > 0 ? [...kept, ...known.filter(isOfRun)] : lines().filter(isOfRun);
    },
    linesOfSeries: series.linesOf,
    fold: (kind) => findOrMake(folds, kind, () => startFold(kind)),
    foldRecent: (kind) => findOrMake(recentFolds, kind, () => foldKnownTicks(kind, known)),
    push: (line) => {
      known.push(line);
      series.take(line);
      for (const fold of folds.values()) fold.take(line);
      if (isOfKnownTick(line)) for (const fold of recentFolds.values()) fold.take(line);
    },
  };
}

function takeAll<Fold extends LineFold>(fold: Fold, lines: readonly JournalLine[]): Fold {
  for (const line of lines) fold.take(line);
  return fold;
}

/** Null where it cannot go on from there: somebody else may have written it, and the lines say everything. */
function loadFold<Fold extends LineFold>(
  kind: FoldKind<Fold>,
  saved: string,
  later: readonly JournalLine[],
): Fold | null {
  try {
    const fold = new kind();
    fold.load?.(saved);
    return takeAll(fold, later);
  } catch {
    return null;
  }
}

/** The lines of each series that was asked for; `find` has them among others. */
function openSeriesLines(find: (seriesId: string) => readonly JournalLine[]) {
  const found = new Map<string, JournalLine[]>();
  return {
    linesOf: (seriesId: string): readonly JournalLine[] => {
      const own = found.get(seriesId) ?? find(seriesId).filter(({ series_id }) => series_id === seriesId);
      found.set(seriesId, own);
      return own;
    },
    take: (line: JournalLine): void => void found.get(line.series_id)?.push(line),
  };
}

/**
 * Told one line after the other, says whether its tick began among them. Lines about an older tick may follow at any time:
 * a person accepts, takes back or prunes it.
 */
function openKnownTicks(): (line: JournalLine) => boolean {
  const started = new Set<string>();
  return ({ run_id, event }) => {
    if (event.type === "tick_started") started.add(run_id);
    return started.has(run_id);
  };
}

function foldKnownTicks<Fold extends LineFold>(kind: FoldKind<Fold>, lines: readonly JournalLine[]): Fold {
  return takeAll(new kind(), lines.filter(openKnownTicks()));
}

function findOrMake<Fold extends LineFold>(
  folds: Map<new () => LineFold, LineFold>,
  kind: FoldKind<Fold>,
  make: () => Fold,
): Fold {
  const found = folds.get(kind);
  if (found instanceof kind) return found;
  const fold = make();
  folds.set(kind, fold);
  return fold;
}
