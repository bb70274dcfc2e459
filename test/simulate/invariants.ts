/** What must be true in every simulated world, checked from outside: by the bytes on the disk, without relais's own io. */
import { createHash } from "node:crypto";
import type { JournalLine } from "../../src/contract/journal/event.ts";
import { type TickRecord, TickRecords } from "../../src/core/tick/tick-records.ts";
import type { Disk } from "./disk.ts";
import type { Inode } from "./inode.ts";
import { REPOSITORY } from "./repository.ts";

export class Violation extends Error {
  override readonly name = "Violation";
}

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

interface JournalView {
  readonly lines: readonly JournalLine[];
  readonly texts: readonly string[];
}

/** The journal, as it is read again and again: only what is new is parsed. */
export class JournalWatch {
  #texts: string[] = [];
  #lines: JournalLine[] = [];
  #records = new TickRecords();
  /** Of all, also those that a power cut took back. */
  readonly begun = new Set<string>();
  readonly codes: string[] = [];
  #seen: { inode: Inode | null; size: number } = { inode: null, size: 0 };

  /** Whole lines; one that is being written does not count yet. */
  look(disk: Disk): JournalView {
    const inode = findState(disk)?.entries.get("journal.jsonl") ?? null;
    if (inode === this.#seen.inode && inode?.size === this.#seen.size) return this.#view();
    this.#seen = { inode, size: inode?.size ?? 0 };
    const texts = readBytes(inode).toString("utf8").split("\n").slice(0, -1);
    this.#demandGrowth(texts);
    for (const text of texts.slice(this.#texts.length)) this.#take(text);
    return this.#view();
  }

  /** A power cut may take back lines that promise nothing yet. */
  allowLoss(): void {
    this.#texts = [];
    this.#lines = [];
    this.#records = new TickRecords();
    this.#seen = { inode: null, size: -1 };
  }

  #view(): JournalView {
    return { lines: this.#lines, texts: this.#texts };
  }

  #demandGrowth(texts: readonly string[]): void {
    const at = this.#texts.findIndex((text, index) => texts[index] !== text);
    if (at !== -1) throw new Violation(`the journal lost line ${at + 1} or changed it`);
  }

  #take(text: string): void {
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
    this.#demandOneWriter(line);
    this.#records.take(line);
    if (line.event.type === "tick_started") this.begun.add(line.run_id);
    if (line.event.type === "tick_ended") this.codes.push(nameOutcome(this.#records.find(line.run_id)));
    this.#texts.push(text);
    this.#lines.push(line);
  }

  #demandOneWriter({ event, run_id }: JournalLine): void {
    if (event.type !== "tick_started") return;
    const open = this.#records.all().find(({ endedAt }) => endedAt === null);
    if (open !== undefined) throw new Violation(`tick ${run_id} began although ${open.runId} has not ended`);
  }
}

function nameOutcome(record: TickRecord | null): string {
  const code = record?.events
    .flatMap((event) => ("code" in event && typeof event.code === "string" ? event.code : []))
    .at(-1);
  return code ?? "none";
}

/** Whether a text is in a file of the worktree or of git, packed or not. */
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

/** Whether a text is an object of the content store. */
export function isKept(state: Inode, text: string): boolean {
  const whole = Buffer.concat([Buffer.from(`blob ${Buffer.byteLength(text)}\0`), Buffer.from(text)]);
  const id = createHash("sha1").update(whole).digest("hex");
  const objects = state.entries.get("judge.git")?.entries.get("objects");
  return objects?.entries.get(id.slice(0, 2))?.entries.has(id.slice(2)) === true;
}
