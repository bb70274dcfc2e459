/** A long history without the ticks: the first tick, told again under other names, as the journal would hold it. */
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import * as v from "valibot";
import { JournalLine } from "../../src/records/event.ts";
import { renderJournalText } from "../../src/journal/journal-text.ts";

/** A repository with a journal. */
interface JournalPlace {
  readonly root: string;
  readonly state: () => string;
}

interface HistoryRequest {
  readonly ticks: number;
  /** Whether each tick has its folders, or the old ones were pruned. */
  readonly withFiles: boolean;
}

const WRITTEN_AT_ONCE = 1_000;

export async function lengthenHistory(repository: JournalPlace, { ticks, withFiles }: HistoryRequest): Promise<void> {
  const path = join(repository.state(), "journal.jsonl");
  const texts = readFileSync(path, "utf8").trimEnd().split("\n");
  const lines = texts.map((text) => readLine(text));
  const runId = lines[0]?.run_id ?? "";
  const first = lines.filter(({ run_id }) => run_id === runId);
  const journal = createWriteStream(path, { flags: "a" });
  let prev = createHash("sha256")
    .update(texts.at(-1) ?? "")
    .digest("hex");
  let seq = texts.length;
  for (let from = 0; from < ticks; from += WRITTEN_AT_ONCE) {
    const names = Array.from({ length: Math.min(WRITTEN_AT_ONCE, ticks - from) }, (_, at) => nameRun(from + at));
    const added: string[] = [];
    for (const name of names)
      for (const line of first) {
        const { text, sha256 } = renderJournalText({ ...line, seq, run_id: name, series_id: name, prev });
        added.push(text);
        prev = sha256;
        seq += 1;
      }
    if (!journal.write(`${added.join("\n")}\n`)) await once(journal, "drain");
    if (withFiles) copyFolders(repository, runId, names);
  }
  journal.end();
  await once(journal, "finish");
  await copyTo(path, join(repository.root, "relais/ledger.jsonl"));
}

function readLine(text: string): JournalLine {
  const { sha256: _, ...line } = v.parse(v.looseObject({}), JSON.parse(text));
  return v.parse(JournalLine, line);
}

function nameRun(number: number): string {
  return `20260101T000000Z-${String(number).padStart(8, "0")}`;
}

/** Kept in memory, because copying hundreds of thousands of files one by one takes minutes. */
function copyFolders({ state, root }: JournalPlace, runId: string, names: readonly string[]): void {
  const homes = [join(state(), "runs"), join(state(), "accepted"), join(root, "relais/history")];
  for (const home of homes.filter((one) => existsSync(join(one, runId)))) {
    const files = readdirSync(join(home, runId)).map((file) => [file, readFileSync(join(home, runId, file))] as const);
    for (const name of names) {
      mkdirSync(join(home, name));
      for (const [file, content] of files) writeFileSync(join(home, name, file), content);
    }
  }
}

async function copyTo(from: string, to: string): Promise<void> {
  const copy = createWriteStream(to);
  createReadStream(from).pipe(copy);
  await once(copy, "finish");
}
