import type { JournalLine } from "../records/event.ts";
import { listTickRecords } from "../tick/pure/tick-records.ts";
import { readStamp } from "../journal/journal-file.ts";
import { splitLogLines } from "../journal/log-lines.ts";
import { readFileEnd } from "../system/follow-file.ts";
import { readLoneLine, renderJournalText } from "../journal/journal-text.ts";
import { makeHarmless } from "./pure/harmless.ts";
import type { TickRow } from "./pure/page-documents.ts";
import { makeTickRow } from "./pure/tick-row.ts";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { describeError } from "../base/errors.ts";
import { readHolder } from "../history/read-status.ts";
import type { StatusRequest } from "../history/status-preflight.ts";
import { readWorkspaceUnchecked, type UncheckedWorkspace } from "../workspace/read-workspace.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { type JournalTail, readJournal } from "../journal/read-journal.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import { pauseUntil } from "../system/pause.ts";
import type { RepositoryName, RepositoryPage, StreamLine } from "./pure/repository-documents.ts";
import { describeUnreadable, openRepositoryState, type RepositoryState } from "./repository-state.ts";

/**
 * The newest ticks of a long journal, before all of it is read: each line is checked against its own hash, and its tick
 * is shown again when the whole chain was checked.
 */

const GLANCE_BYTES = 256 * 1024;

/** Nothing where the journal is short, so that reading it takes no time, or where it cannot be read. */
export function glanceAtTicks(path: string): readonly TickRow[] {
  try {
    return readTicks(path);
  } catch {
    return []; // A damaged line in between: the check will say so.
  }
}

function readTicks(path: string): readonly TickRow[] {
  // Of the first one only the end was read.
  const [, ...texts] = splitLogLines(readFileEnd(path, GLANCE_BYTES)).lines;
  const lines = texts.flatMap((text): readonly JournalLine[] => {
    const read = readLoneLine(text);
    return read?.kind === "line" ? [read.line] : [];
  });
  const whole = new Set(lines.flatMap(({ run_id, event }) => (event.type === "tick_started" ? [run_id] : [])));
  const newest = new Map(lines.map((line) => [line.run_id, line]));
  return listTickRecords(lines.filter(({ run_id }) => whole.has(run_id))).flatMap((record) => {
    const last = newest.get(record.runId);
    return last === undefined ? [] : [makeHarmless(makeTickRow(record, last))];
  });
}

/** Follows one repository: its ticks as they are recorded, and its state whenever that may have changed. */

export interface FeedRequest extends StatusRequest {
  readonly name: RepositoryName;
  readonly journal: string;
  readonly emit: (line: StreamLine) => void;
  /** One journal is read at a time: the last one read is known by heart, so its end costs nothing more. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

const LOOK_MS = 500;
const RETRY_MS = 3000;
/** A look at a long journal takes a while, and the next one waits so many times longer. */
const REST_FACTOR = 3;

export function openFeed(request: FeedRequest): RepositoryFeed {
  const feed = new RepositoryFeed(request);
  void feed.follow();
  return feed;
}

export class RepositoryFeed {
  readonly #request: FeedRequest;
  readonly #looker = makeLooker(() => this.refresh());
  /** Null until it was read, and where it cannot be. */
  state: RepositoryState | null = null;
  page: RepositoryPage | null = null;
  /** Whether the first look is over. */
  isRead = false;
  readonly #glanced: readonly TickRow[];

  constructor(request: FeedRequest) {
    this.#request = request;
    this.#glanced = glanceAtTicks(request.journal);
  }

  /** Others follow as soon as they are made. */
  rows(): readonly TickRow[] {
    return this.state?.made() ?? this.#glanced;
  }

  get name(): RepositoryName {
    return this.#request.name;
  }

  /** Looks again, after a decision. */
  async refresh(): Promise<void> {
    if (this.state !== null) this.#show(await this.state.readPage(this.#request));
  }

  /** Until the signal fires. A journal that cannot be read now is tried again. */
  async follow(): Promise<void> {
    const { signal, inTurn } = this.#request;
    const first = await inTurn(() => this.#readFirst()).catch(() => (this.state = null));
    if (first !== null) await this.#followChecked(first);
    while (!signal.aborted) {
      const tail = await inTurn(() => this.#readAll()).catch((error: unknown) => this.#fail(describeError(error)));
      this.isRead = true;
      if (tail !== null) await this.#followOnce(tail, signal).catch(() => {});
      if (!signal.aborted) await pauseUntil(readClockMs() + RETRY_MS, { signal, onStep: () => {} });
    }
  }

  #show(page: RepositoryPage): void {
    this.page = page;
    this.#request.emit({ kind: "now", repository: this.name.id, page });
  }

  #fail(reason: string): null {
    this.#show(describeUnreadable(reason));
    return null;
  }

  /** Shows the lines before they are checked, which takes longer than everything else. */
  async #readFirst(): Promise<UncheckedWorkspace | null> {
    const read = await readWorkspaceUnchecked(this.#request);
    if (read === null) return null;
    await this.#open(read.snapshot);
    return read;
  }

  /** Until the check found something else than what is shown. */
  async #followChecked({ tail }: UncheckedWorkspace): Promise<void> {
    const { signal, inTurn } = this.#request;
    const over = new AbortController();
    const check = inTurn(() => this.#check(tail)).catch(() => false);
    void check.then((isSame) => isSame || over.abort());
    await this.#followOnce(tail, AbortSignal.any([signal, over.signal])).catch(() => {});
    await check;
  }

  /** Whether the journal has what is shown, as its last hash tells of all lines. */
  async #check({ end }: JournalTail): Promise<boolean> {
    const found = await withSnapshot(this.#request, (snapshot) => snapshot);
    if (found.kind !== "snapshot") return false;
    const last = found.lines[end.seq - 1];
    if (last === undefined || renderJournalText(last).sha256 !== end.sha256) return false;
    const { missingLines, lostTick } = found;
    return missingLines === 0 && lostTick === null;
  }

  /** Answers with where the journal ends. */
  async #readAll(): Promise<JournalTail | null> {
    const found = await withSnapshot(this.#request, (snapshot) => snapshot);
    if (found.kind !== "snapshot") return this.#fail(found.message);
    return this.#catchUp(await this.#open(found));
  }

  /** What a person sees first is sent first. */
  async #open(snapshot: WorkspaceSnapshot): Promise<RepositoryState> {
    const state = openRepositoryState(snapshot);
    const [newest, ...others] = state.parts();
    this.state = state;
    this.#send(newest?.() ?? []);
    await this.refresh();
    this.isRead = true;
    for (const makeRows of others) {
      await nextTurn();
      this.#send(makeRows());
    }
    return state;
  }

  #send(rows: readonly TickRow[]): void {
    this.#request.emit({ kind: "ticks", repository: this.name.id, rows });
  }

  /** With the lines that were added since. */
  async #catchUp(state: RepositoryState): Promise<JournalTail | null> {
    const { lines } = state.around();
    const read = await readJournal(this.#request.journal);
    if (read.kind !== "read" || read.lines.length < lines.length) return null;
    if (read.lines.length > lines.length) this.#take(state.add(read.lines.slice(lines.length)));
    return read;
  }

  #take(rows: readonly TickRow[]): void {
    this.#send(rows);
    this.#looker.ask();
  }

  async #followOnce(tail: JournalTail, signal: AbortSignal): Promise<void> {
    const { state } = this;
    if (state === null) return;
    const { journal: path } = this.#request;
    const stop = watchHolder(state, this.#looker.ask);
    await followEnd(path, tail, signal, (lines) => this.#take(state.add(lines))).finally(stop);
  }
}

/** One look at a time; a wish during a look leads to another one, after a rest. */
function makeLooker(look: () => Promise<void>) {
  let [isLooking, isAsked, restUntilMs] = [false, false, 0];
  const run = async (): Promise<void> => {
    isAsked = false;
    const begunMs = readClockMs();
    await look().catch(() => {});
    restUntilMs = readClockMs() + REST_FACTOR * (readClockMs() - begunMs);
    isLooking = false;
    if (isAsked) ask();
  };
  const ask = (): void => {
    isAsked = true;
    if (isLooking) return;
    isLooking = true;
    setTimeout(() => void run(), Math.max(0, restUntilMs - readClockMs())).unref();
  };
  return { ask };
}

/** A process that was killed records nothing, and one that starts records nothing at first. */
function watchHolder(state: RepositoryState, onChange: () => void): () => void {
  let seen: number | null | undefined;
  return repeatEvery(LOOK_MS, () => {
    readHolder(state.around())
      .then((holder) => {
        const pid = holder?.pid ?? null;
        if (seen !== undefined && seen !== pid) onChange();
        seen = pid;
      })
      .catch(() => {});
  });
}

const END_LOOK_MS = 200;

/** Ends with the signal, or when the known lines may not hold any more: cut, replaced, damaged or of another version. */
async function followEnd(
  path: string,
  tail: JournalTail,
  signal: AbortSignal,
  onLines: (lines: readonly JournalLine[]) => void,
): Promise<void> {
  let at = tail;
  let seen: string | null = null;
  while (!signal.aborted) {
    const stamp = readStamp(path);
    if (stamp !== seen) {
      const read = await readJournal(path, at);
      const isGrown = read.kind === "read" && read.lines.length > 0;
      // The first look only makes sure of the end.
      if (!isGrown && (seen !== null || read.kind !== "read")) return;
      if (isGrown) onLines(read.lines);
      if (read.kind === "read") at = read;
    }
    seen = stamp;
    await delay(END_LOOK_MS, null, { signal }).catch(() => null);
  }
}
