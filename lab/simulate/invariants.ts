/** What must be true in every simulated world, checked from outside: by the bytes on the disk, without relais's own io. */
import { createHash } from "node:crypto";
import type { JournalLine } from "../../src/records/event.ts";
import { type TickRecord, TickRecords } from "../../src/tick/pure/tick-records.ts";
import type { Disk } from "./disk.ts";
import type { Inode } from "./inode.ts";
import type { Process } from "./machine.ts";
import { JournalRules, PROMISES } from "./journal-rules.ts";
import { REPOSITORY } from "./repository.ts";
import { Violation } from "./violation.ts";

/** An entry by its path, read past every process. */
export function look(disk: Disk, path: string): Inode | null {
  let at: Inode | undefined = disk.root;
  for (const name of path.split("/").filter((one) => one !== "")) at = at?.entries.get(name);
  return at ?? null;
}

export function readBytes(inode: Inode | null): Buffer {
  return inode === null ? Buffer.alloc(0) : inode.data.subarray(0, inode.size);
}

/** Every file below a folder, with its bytes. */
export function* listFiles(folder: Inode | null, path = ""): Generator<readonly [path: string, inode: Inode]> {
  for (const [name, inode] of folder?.entries ?? []) {
    if (inode.kind === "folder") yield* listFiles(inode, `${path}/${name}`);
    else yield [`${path}/${name}`, inode];
  }
}

/** The folder of the repository's state; null before the first command. */
export function findState(disk: Disk): Inode | null {
  const [folder] = look(disk, "/home/me/state/relais")?.entries.entries() ?? [];
  return folder?.[1] ?? null;
}

/** The journal, as it is read again and again: only what is new is parsed. */
export class JournalWatch {
  readonly #disk: Disk;
  readonly #budget: number;
  #texts: string[] = [];
  /** Of the lines, in bytes. */
  #size = 0;
  #records = new TickRecords();
  #rules: JournalRules;
  /** Up to where the file must be on the disk once anything follows. */
  #promised = 0;
  /** Who writes the tick that has not ended. */
  #writer: Process | null = null;
  /** Of all, also those that a power cut took back. */
  readonly begun = new Set<string>();
  /** Of these, all that came to their session. */
  readonly built = new Set<string>();
  readonly codes: string[] = [];
  #seen: { inode: Inode | null; size: number } = { inode: null, size: 0 };
  /** After a power cut, what is left is read again. */
  #isReread = false;

  constructor(disk: Disk, budget: number) {
    this.#disk = disk;
    this.#budget = budget;
    this.#rules = new JournalRules(budget);
  }

  /** Whole lines; one that is being written does not count yet. Answers with the new ones. */
  look(writer: Process | null): readonly JournalLine[] {
    const inode = findState(this.#disk)?.entries.get("journal.jsonl") ?? null;
    if (inode === this.#seen.inode && inode?.size === this.#seen.size) return [];
    const isSame = inode !== null && inode === this.#seen.inode && inode.size > this.#seen.size;
    this.#seen = { inode, size: inode?.size ?? 0 };
    const bytes = readBytes(inode);
    if (!isSame) this.#demandGrowth(bytes.toString("utf8").split("\n").slice(0, -1));
    const texts = bytes.subarray(this.#size).toString("utf8").split("\n").slice(0, -1);
    const lines = texts.map((text) => this.#take(text, { inode, writer }));
    const isKnown = this.#isReread;
    this.#isReread = false;
    return isKnown ? [] : lines;
  }

  /** A power cut may take back lines that promise nothing yet. */
  allowLoss(): void {
    this.#texts = [];
    this.#size = 0;
    this.#promised = 0;
    this.#records = new TickRecords();
    this.#rules = new JournalRules(this.#budget);
    this.#writer = null;
    this.#isReread = true;
    this.#seen = { inode: null, size: -1 };
  }

  /** The ticks whose change is kept; null where nobody knows what is in the repository. */
  listKept(): readonly string[] | null {
    return this.#rules.listKept();
  }

  /** What was promised by the last line is on the disk before anything acts on it. */
  demandSafe(): void {
    const safe = this.#seen.inode?.safe?.size ?? 0;
    if (!this.#disk.isLying && safe < this.#promised)
      throw new Violation(`line ${this.#texts.length} of the journal is acted upon and not on the disk`);
  }

  #demandGrowth(texts: readonly string[]): void {
    const at = this.#texts.findIndex((text, index) => texts[index] !== text);
    if (at !== -1) throw new Violation(`the journal lost line ${at + 1} or changed it`);
  }

  #take(text: string, { inode, writer }: { inode: Inode | null; writer: Process | null }): JournalLine {
    let line: JournalLine;
    try {
      line = JSON.parse(text);
    } catch {
      throw new Violation(`line ${this.#texts.length + 1} of the journal is no JSON: ${text.slice(0, 80)}`);
    }
    const before = this.#texts.at(-1);
    const prev = before === undefined ? null : createHash("sha256").update(before).digest("hex");
    if (line.prev !== prev || line.seq !== this.#texts.length)
      throw new Violation(`line ${this.#texts.length + 1} of the journal does not follow the one before`);
    if (inode?.safe !== null) this.demandSafe();
    this.#demandOneWriter(line, writer);
    this.#rules.take(line);
    this.#records.take(line);
    if (line.event.type === "tick_started") this.begun.add(line.run_id);
    if (line.event.type === "build_started") this.built.add(line.run_id);
    if (line.event.type === "tick_ended") this.codes.push(nameOutcome(this.#records.find(line.run_id)));
    this.#texts.push(text);
    this.#size += Buffer.byteLength(text) + 1;
    if (PROMISES.has(line.event.type)) this.#promised = this.#size;
    return line;
  }

  #demandOneWriter({ event, run_id }: JournalLine, writer: Process | null): void {
    // A tick may begin beside one that was interrupted, only to be refused.
    const open = this.#records.all().find(({ endedAt, runId }) => endedAt === null && runId !== run_id);
    if (event.type === "prepared" && open !== undefined)
      throw new Violation(`tick ${run_id} works although ${open.runId} has not ended`);
    if (writer === null) return;
    if (open !== undefined && this.#writer !== null && this.#writer !== writer && !this.#writer.isOver)
      throw new Violation(`two writers: ${writer.pid} writes ${event.type} while ${this.#writer.pid} works`);
    this.#writer = writer;
  }
}

function nameOutcome(record: TickRecord | null): string {
  const code = record?.events
    .flatMap((event) => ("code" in event && typeof event.code === "string" ? event.code : []))
    .at(-1);
  return code ?? "none";
}

/** That no file of the worktree or of git has one of these texts. */
export function demandAbsent(disk: Disk, tokens: readonly string[]): void {
  for (const [path, inode] of listFiles(look(disk, REPOSITORY))) {
    if (path.startsWith("/relais/") || path.startsWith("/.git/objects/")) continue;
    const text = readBytes(inode).toString("latin1");
    const found = tokens.find((token) => text.includes(token));
    if (found !== undefined) throw new Violation(`${path} has ${found}, which was never accepted`);
  }
}

/** Everything that a command must leave as it is when there is nothing to do. */
export function digestWorld(disk: Disk): string {
  const digest = createHash("sha256");
  const state = findState(disk);
  const parts = [
    ...listFiles(look(disk, REPOSITORY)),
    ["journal", state?.entries.get("journal.jsonl") ?? null] as const,
  ];
  for (const [path, inode] of parts.toSorted(([one], [other]) => (one < other ? -1 : 1)))
    digest.update(`${path}\0${inode?.mode}\0${inode?.target}\0`).update(readBytes(inode));
  return digest.digest("hex");
}

/** Whether a text is an object of the content store or of a rescued commit, or a rescued file. */
export function isKept(state: Inode, text: string): boolean {
  for (const [, inode] of listFiles(state.entries.get("rescued")?.entries.get("files") ?? null))
    if (readBytes(inode).equals(Buffer.from(text))) return true;
  const id = nameBlob(text);
  const folders = [state.entries.get("judge.git"), state.entries.get("rescued")];
  return folders.some(
    (folder) => folder?.entries.get("objects")?.entries.get(id.slice(0, 2))?.entries.has(id.slice(2)) === true,
  );
}

/** Whether salvage, or what `undo` needs, names a text that is kept. */
export function isFindable(state: Inode, text: string): boolean {
  const id = nameBlob(text);
  const named = ["salvage", "accepted"].some((folder) =>
    [...listFiles(state.entries.get(folder) ?? null)].some(([, inode]) => readBytes(inode).includes(id)),
  );
  return named && isKept(state, text);
}

function nameBlob(text: string): string {
  const whole = Buffer.concat([Buffer.from(`blob ${Buffer.byteLength(text)}\0`), Buffer.from(text)]);
  return createHash("sha1").update(whole).digest("hex");
}
