/** The journal on a disk that may fill, tear a line or lie about a sync, with the real text and chain of its lines. */
import * as v from "valibot";
import { fitTexts } from "../../../src/records/fit-texts.ts";
import { readPromise } from "../../../src/records/event-promise.ts";
import type { JournalLine } from "../../../src/records/event.ts";
import {
  foldEnd,
  type FoldedLines,
  foldLines,
  type GrowingLines,
  type JournalEnd,
} from "../../../src/records/folded-lines.ts";
import { RecordedLine } from "../../../src/records/recorded-line.ts";
import { RECORD_VERSION } from "../../../src/base/record-version.ts";
import { type ChainEnd, readJournalText, renderJournalText } from "../../../src/journal/journal-text.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { findFoldDifference } from "./compare-folds.ts";
import type { SimulatedProcess, World } from "./world.ts";

interface DiskLine {
  readonly text: string;
  readonly line: JournalLine;
  readonly sha256: string;
  isSafe: boolean;
}

/** Of the end of the journal, as the last process left it. */
export interface ModelSummary extends Pick<JournalEnd, "recent" | "older" | "folds"> {
  readonly end: ChainEnd;
}

const START: ChainEnd = { seq: 0, sha256: null };

export class JournalDisk {
  lines: DiskLine[] = [];
  summary: ModelSummary | null = null;
  /** How often a process opened it by its summary. */
  opened = { whole: 0, byEnd: 0 };

  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  end(): ChainEnd {
    const last = this.lines.at(-1);
    return last === undefined ? START : { seq: this.lines.length, sha256: last.sha256 };
  }

  list(): JournalLine[] {
    return this.lines.map(({ line }) => line);
  }

  /** Lines without a sync may be gone, the first of them in its middle; a disk that lies keeps any number. */
  cutPower(): void {
    const { random, plan } = this.world;
    const safe = plan.isLying ? 0 : this.lines.findLastIndex(({ isSafe }) => isSafe) + 1;
    const kept = Math.max(safe, this.lines.length - random.below(this.lines.length - safe + 1));
    const isTorn = kept < this.lines.length && random.below(2) === 0;
    const texts = this.lines.slice(0, kept + (isTorn ? 1 : 0)).map(({ text }) => text);
    if (isTorn) texts.push((texts.pop() ?? "").slice(0, -1 - random.below(60)));
    this.world.tell(() => `the journal keeps ${kept} of ${this.lines.length} lines${isTorn ? " and a torn one" : ""}`);
    this.summary = null;
    this.lines = [];
    for (const text of texts) {
      const read = readJournalText(Buffer.from(text), this.end());
      if (read.kind === "line") this.lines.push({ text, line: read.line, sha256: read.sha256, isSafe: true });
      else if (read.kind !== "not-json") throw this.world.fail(`a line that cannot be read: ${JSON.stringify(read)}`);
    }
    this.world.watch.reread();
  }

  async append(process: SimulatedProcess, entry: Pick<JournalLine, "at" | "run_id" | "series_id" | "event">) {
    const { world } = this;
    await world.step(process, `${entry.event.type} is recorded`);
    if (process.isDead) return new Promise<JournalLine>(() => {});
    if (world.held?.process !== process) throw world.fail("a line without the lock: two writers");
    if (world.isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const end = this.end();
    const fitted = { ...entry, event: fitTexts(entry.event) };
    const parsed = v.safeParse(RecordedLine, { version: RECORD_VERSION, seq: end.seq, ...fitted, prev: end.sha256 });
    if (!parsed.success) throw world.fail(`an event that no journal takes: ${parsed.issues[0].message}`);
    const line = parsed.output;
    const { text, sha256 } = renderJournalText(line);
    // In one world of four every line is read back at once, in the others after a power cut.
    const read = world.plan.seed % 4 === 0 ? readJournalText(Buffer.from(text), end) : null;
    if (read !== null && read.kind !== "line")
      throw world.fail(`a line that no journal takes: ${JSON.stringify(read)}`);
    const promise = readPromise(line.event);
    this.lines.push({ text, line, sha256, isSafe: false });
    if (promise === "files" && !world.plan.isLying) world.files.sync();
    if (promise !== "nothing") for (const each of this.lines) each.isSafe = true;
    world.tell(() => JSON.stringify(line.event));
    world.watch.take(line);
    await world.step(process, "recorded");
    return line;
  }
}

/** The journal as one process has it open. */
export function openModelJournal(world: World, process: SimulatedProcess, summary: ModelSummary | null): Journal {
  const disk = world.journal;
  const known = disk.list();
  disk.opened[summary === null ? "whole" : "byEnd"] += 1;
  let folded: GrowingLines =
    summary === null
      ? foldLines(known)
      : foldEnd({
          ...summary,
          readAll: () => known.slice(0, summary.end.seq),
          readSeries: (id) => known.slice(0, summary.end.seq).filter(({ series_id }) => series_id === id),
        });
  let end = disk.end();
  const present: FoldedLines = {
    lines: () => folded.lines(),
    recent: () => folded.recent(),
    linesOf: (runId) => folded.linesOf(runId),
    linesOfSeries: (seriesId) => folded.linesOfSeries(seriesId),
    fold: (kind) => folded.fold(kind),
    foldRecent: (kind) => folded.foldRecent(kind),
  };
  return {
    path: "/state/journal.jsonl",
    ...present,
    summarise: ({ older, folds }) => {
      disk.summary = { recent: folded.tail(), older, folds, end };
    },
    end: () => end,
    append: async (entry) => {
      if (disk.end().sha256 !== end.sha256) throw world.fail("another process has added a line: two writers");
      const line = await disk.append(process, entry);
      folded.push(line);
      end = disk.end();
      return line;
    },
    rewrite: () => {
      folded = foldLines(folded.lines());
      return Promise.resolve();
    },
    close: () => {
      const difference = summary === null || process.isDead ? null : findFoldDifference(present, world.watch.folded);
      if (difference !== null) world.fail(`opened by its summary, ${difference}`);
      return Promise.resolve();
    },
  };
}
