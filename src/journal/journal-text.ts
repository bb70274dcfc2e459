/**
 * One line of the journal as text.
 *
 * `prev` ties a line to the one before it and therefore protects every line but the last. So each line also ends with
 * the hash of its own text, as a last key that is no part of the event: every changed byte is noticed, and the line is
 * still JSON.
 */
import { hash } from "node:crypto";
import * as v from "valibot";
import { JournalLine } from "../records/event.ts";
import { RecordedLine } from "../records/recorded-line.ts";
import { isForeignVersion } from "../base/record-version.ts";
import { parseWith } from "../base/schema-error.ts";

/** A line with everything that it may carry (a task with its patch, long lists) is far smaller. */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

const SEAL_START = ',"sha256":"';
const SEAL_END = '"}';
/** It follows the end of the event; the hash of a file that an event lists follows the name of that file. */
const SEAL = /\},"sha256":"[0-9a-f]{64}"\}/;
const SEAL_BYTES = SEAL_START.length + 64 + SEAL_END.length;

/** What a line must continue. */
export interface ChainEnd {
  readonly seq: number;
  /** Null before the first line. */
  readonly sha256: string | null;
}

type LineRead =
  | { readonly kind: "line"; readonly line: JournalLine; readonly sha256: string }
  /** What a write that was cut short leaves behind, or damage. */
  | { readonly kind: "not-json"; readonly reason: string }
  | { readonly kind: "wrong"; readonly reason: string }
  /** Whole, and of a version that this relais cannot read. */
  | { readonly kind: "foreign"; readonly version: number };

/** The text of a line without its newline, and the hash that the next line has to name. */
export function renderJournalText(line: JournalLine): { readonly text: string; readonly sha256: string } {
  const body = JSON.stringify(line);
  const text = `${body.slice(0, -1)}${SEAL_START}${computeHash(body)}${SEAL_END}`;
  return { text, sha256: computeHash(text) };
}

/** Reads one line without its newline and checks all of it. */
export function readJournalText(bytes: Buffer, end: ChainEnd): LineRead {
  const document = parseObject(bytes);
  if (document === null) return { kind: "not-json", reason: "it is not JSON" };
  const split = Math.max(0, bytes.length - SEAL_BYTES);
  const seal = `${SEAL_START}${hashBody(bytes, split)}${SEAL_END}`;
  if (bytes.toString("latin1", split) !== seal)
    return { kind: "wrong", reason: "its own hash does not match its text" };
  // The version and the hash stand at the same places in every version; nothing else about the line is known.
  if (isForeignVersion(document["version"])) return { kind: "foreign", version: document["version"] };
  const { sha256: _seal, ...fields } = document;
  // The plain validator, for speed: what is written was read with the thorough one before it got its hash.
  const parsed = v.safeParse(RecordedLine, fields);
  if (!parsed.success) return { kind: "wrong", reason: findProblem(fields) };
  const { seq, prev } = parsed.output;
  if (seq !== end.seq) return { kind: "wrong", reason: `its number is ${seq}, expected ${end.seq}` };
  if (prev !== end.sha256) return { kind: "wrong", reason: "it does not name the hash of the line before it" };
  return { kind: "line", line: parsed.output, sha256: computeHash(bytes) };
}

/** Reads a single line, checked against itself; `prev` and `seq` say where it belongs. */
export function readLoneLine(bytes: Buffer): (LineRead & { readonly kind: "line" | "foreign" }) | null {
  const document = parseObject(bytes);
  const seq = document?.["seq"];
  const prev = document?.["prev"];
  const read = readJournalText(bytes, {
    seq: typeof seq === "number" ? seq : -1,
    sha256: typeof prev === "string" ? prev : null,
  });
  return read.kind === "line" || read.kind === "foreign" ? read : null;
}

/** The version of an unfinished line, if this relais cannot read it. */
export function findForeignTornVersion(bytes: Buffer): number | null {
  const version = Number(/^\{"version":(?<version>\d+),/.exec(bytes.toString("latin1", 0, 40))?.groups?.["version"]);
  return isForeignVersion(version) ? version : null;
}

/**
 * Whether an interrupted write can have left these bytes. It writes one line, so only a newline can follow the hash
 * that ends a line; anything else means that a newline was changed.
 */
export function isTorn(bytes: Buffer): boolean {
  const seal = SEAL.exec(bytes.toString("latin1"));
  return seal === null || ["", "\n"].includes(seal.input.slice(seal.index + seal[0].length));
}

function findProblem(fields: unknown): string {
  const parsed = parseWith(JournalLine, fields);
  const [problem] = parsed.kind === "invalid" ? parsed.problems : [];
  return problem?.message ?? "it is no line of a journal";
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const document: unknown = JSON.parse(UTF8.decode(bytes));
    return isFields(document) ? document : null;
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** In one call, which takes half as long as an object for each hash. */
function computeHash(text: string | Buffer): string {
  return hash("sha256", text);
}

/** The hash of a line without its seal: the brace that ended it then stands where the seal begins. */
function hashBody(bytes: Buffer, split: number): string {
  return computeHash(Buffer.concat([bytes.subarray(0, split), CLOSING]));
}

const CLOSING = Buffer.from("}");
