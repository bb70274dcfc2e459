/**
 * What find printed of a folder, as the part of a manifest that seldom changes: its bytes, and beside them the content of
 * each record and a table of the paths. A manifest of 100,000 entries as objects takes ten times the room.
 */
import type { Entry } from "../../contract/evidence/manifest.ts";
import { type FindRecord, findRecordEnd, makeListedEntry, readRecord } from "./find-listing.ts";

export interface Listing {
  readonly bytes: Buffer;
  /** Where each record begins. */
  readonly starts: Uint32Array;
  /** Of each record, as bytes; nothing but zeros is none. */
  readonly ids: Buffer;
  /** Finds records by the hash of their path: their number plus one, in the first free slot. */
  readonly slots: Uint32Array;
}

export const ID_BYTES = 20;
const NO_ID = Buffer.alloc(ID_BYTES);
const ID = /^[0-9a-f]{40}$/;

/** Without any content yet. */
export function makeListing(bytes: Buffer): Listing {
  const found: number[] = [];
  for (let at = 0; at < bytes.length;) {
    found.push(at);
    const end = findRecordEnd(bytes, at);
    if (end === null) throw new Error("the output of find is cut off");
    at = end;
  }
  const starts = Uint32Array.from(found);
  const slots = new Uint32Array(countSlots(starts.length));
  const listing = { bytes, starts, ids: Buffer.alloc(starts.length * ID_BYTES), slots };
  for (let number = 0; number < starts.length; number += 1) {
    let slot = hashPath(readPathAt(listing, number)) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = number + 1;
  }
  return listing;
}

/** A power of two; at least half of them are free, so few are looked at. */
export function countSlots(records: number): number {
  let slots = 16;
  while (slots < records * 2) slots *= 2;
  return slots;
}

/** Of a byte string. */
function hashPath(path: string): number {
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (Math.imul(hash, 31) + path.charCodeAt(at)) | 0;
  return hash ^ (hash >>> 15);
}

/** The number of its record; -1 is none. */
export function findPlace(listing: Listing, path: string): number {
  const { slots } = listing;
  const wanted = Buffer.from(`${path}\0`, "latin1");
  for (let slot = hashPath(path) & (slots.length - 1), looked = 0; looked < slots.length; looked += 1) {
    const number = (slots[slot] ?? 0) - 1;
    if (number < 0) return -1;
    const start = listing.starts[number] ?? 0;
    if (listing.bytes.subarray(start, start + wanted.length).equals(wanted)) return number;
    slot = (slot + 1) & (slots.length - 1);
  }
  return -1;
}

export function readPathAt({ bytes, starts }: Listing, number: number): string {
  const start = starts[number] ?? 0;
  return bytes.toString("latin1", start, bytes.indexOf(0, start));
}

export function readRecordAt({ bytes, starts }: Listing, number: number): FindRecord {
  const record = readRecord(bytes, starts[number] ?? 0);
  if (record === null) throw new Error("the listing is cut off");
  return record;
}

export function readEntryAt(listing: Listing, number: number): Entry {
  return { ...makeListedEntry(readRecordAt(listing, number)), id: readIdAt(listing, number) };
}

function readIdAt({ ids }: Listing, number: number): string | null {
  const at = number * ID_BYTES;
  return ids.compare(NO_ID, 0, ID_BYTES, at, at + ID_BYTES) === 0 ? null : ids.toString("hex", at, at + ID_BYTES);
}

/** Whether there is room for it: an id of git. */
export function putIdAt({ ids }: Listing, number: number, id: string): boolean {
  if (!ID.test(id)) return false;
  ids.write(id, number * ID_BYTES, "hex");
  return true;
}

/** The records with this content, by their numbers. */
export function* findPlacesOfId({ ids }: Listing, id: string): Generator<number> {
  if (!ID.test(id)) return;
  const wanted = Buffer.from(id, "hex");
  for (let at = ids.indexOf(wanted); at !== -1; at = ids.indexOf(wanted, at + 1))
    if (at % ID_BYTES === 0) yield at / ID_BYTES;
}

/** The records that have this text in them, maybe not in their path, by their numbers. */
export function* findPlacesOfText({ bytes, starts }: Listing, text: string): Generator<number> {
  const wanted = Buffer.from(text, "latin1");
  for (let at = bytes.indexOf(wanted); at !== -1;) {
    const number = findRecordNumber(starts, at);
    yield number;
    const next = starts[number + 1];
    at = next === undefined ? -1 : bytes.indexOf(wanted, next);
  }
}

/** The last record that begins at this byte or before it. */
export function findRecordNumber(starts: Uint32Array, byte: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= byte) low = middle;
    else high = middle;
  }
  return low;
}
