/** Copies the journal of a job to its queue while it grows, and counts what was spent. */
import { join } from "node:path";
import type { JournalLine } from "../records/event.ts";
import { foldLines, type GrowingLines } from "../records/folded-lines.ts";
import type { Claim } from "../queue/pure/engine.ts";
import type { JobSpent } from "../queue/pure/job.ts";
import { type JobProgress, readProgress, subtractSpent } from "../journal/pure/job-progress.ts";
import { followJournal } from "../journal/follow-journal.ts";
import { readJournal } from "../journal/read-journal.ts";
import { readClockMs } from "../system/clock.ts";
import { readJobNote } from "./job-note.ts";
import { type JobPlace, locateJobState } from "./job-workspace.ts";

interface Recording {
  readonly claim: Pick<Claim, "append" | "spend" | "spent">;
  readonly place: JobPlace;
  readonly onLine: (line: JournalLine) => void;
}

export interface JobRecorder {
  /** The whole journal, of all attempts. */
  readonly known: GrowingLines;
  /** What the journal says now, also about lines that were not copied yet. */
  readonly readNow: () => Promise<JobProgress>;
  /** By all attempts so far. */
  readonly spent: () => JobSpent;
  /** Ends the copying, with the last lines. */
  readonly close: () => Promise<void>;
}

const NOTHING_SPENT: JobSpent = { ticks: 0, sessions: 0, dollars: 0, seconds: 0 };

export async function openRecorder(recording: Recording): Promise<JobRecorder> {
  const { claim, place, onLine } = recording;
  const path = join(await locateJobState(place), "journal.jsonl");
  const readAll = async (): Promise<GrowingLines> => {
    const read = await readJournal(path);
    return foldLines(read.kind === "read" ? read.lines : []);
  };
  const known = await readAll();
  const spent = openAccount(recording, known);
  const over = new AbortController();
  let reported = claim.spent;
  let turn: Promise<unknown> = Promise.resolve();
  const record = async (texts: readonly string[]): Promise<void> => {
    const now = spent();
    const since = subtractSpent(now, reported);
    reported = now;
    // A worker that was fenced learns it from its claim.
    if (texts.length > 0) await claim.append(texts);
    if (Object.values(since).some((value) => value > 0)) await claim.spend(since);
  };
  const onLines = (lines: readonly JournalLine[]): void => {
    for (const line of lines) {
      known.push(line);
      onLine(line);
    }
    turn = turn.then(() => record(lines.map((line) => JSON.stringify(line))));
    turn.catch(() => null);
  };
  const lines = [...known.lines()];
  const followed = followJournal({ path, lines, signal: over.signal, onLines, onTrouble: () => {} });
  const close = async (): Promise<void> => {
    over.abort();
    await followed;
    await turn;
    await record([]);
  };
  return { known, readNow: async () => readProgress(await readAll()), spent, close };
}

/** Answers with what all attempts have spent up to now. */
function openAccount({ claim, place }: Recording, known: GrowingLines): () => JobSpent {
  const before = readJobNote(place)?.spent ?? NOTHING_SPENT;
  const begun = readClockMs();
  return () => {
    const { ticks, sessions, dollars, tokens } = readProgress(known).spent;
    return {
      ticks: before.ticks + ticks,
      sessions: before.sessions + sessions,
      dollars: before.dollars + dollars,
      tokens: (before.tokens ?? 0) + tokens,
      seconds: claim.spent.seconds + Math.max(0, Math.round((readClockMs() - begun) / 1000)),
    };
  };
}
