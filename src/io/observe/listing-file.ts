/**
 * A listing on disk, named by the hash of its bytes: it stays the same for many observations, which name it. It is read
 * as it lies there; nothing is parsed.
 */
import { createHash, hash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeAtomic } from "../files/atomic-file.ts";
import { countSlots, ID_BYTES, type Listing } from "./listing.ts";

/** Another order of bytes makes another number of it. */
const MARK = 0x72_6c_73_31;
const NUMBER_BYTES = 4;
/** The mark, the number of records, the bytes of the listing. */
const HEADER_NUMBERS = 3;

/** By listing: what it is called on the disk. And the other way round: the same one is asked for again in a tick. */
const names = new WeakMap<Listing, string>();
const known = new Map<string, WeakRef<Listing>>();

function nameListing(listing: Listing, sha256: string): void {
  names.set(listing, sha256);
  known.set(sha256, new WeakRef(listing));
}

/** Writes it, unless it is there, and answers with its name. */
export async function saveListing(observation: string, listing: Listing): Promise<string> {
  const bytes = names.has(listing) ? null : packListing(listing);
  const sha256 = names.get(listing) ?? hash("sha256", bytes ?? "");
  nameListing(listing, sha256);
  const path = locateListing(observation, sha256);
  if (!existsSync(path)) await writeAtomic(path, bytes ?? packListing(listing), { mode: 0o600 });
  return sha256;
}

/** Whether its file is there, if there has to be one. */
export function isListingSaved(observation: string, parts: { readonly listing: Listing } | null): boolean {
  const name = parts === null ? undefined : names.get(parts.listing);
  return name === undefined || existsSync(locateListing(observation, name));
}

function packListing({ bytes, starts, ids, slots }: Listing): Buffer {
  const header = Uint32Array.of(MARK, starts.length, bytes.length);
  return Buffer.concat([viewBytes(header), viewBytes(starts), viewBytes(slots), ids, bytes]);
}

function viewBytes({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Null where there is none, or not the one of that name. */
export function loadListing(observation: string, sha256: string): Listing | null {
  const path = locateListing(observation, sha256);
  if (!existsSync(path)) return null;
  const same = known.get(sha256)?.deref();
  if (same !== undefined) return hashFile(path) === sha256 ? same : null;
  const bytes = readFileSync(path);
  if (hash("sha256", bytes) !== sha256) return null;
  const listing = openListing(bytes);
  if (listing !== null) nameListing(listing, sha256);
  return listing;
}

const CHUNK_BYTES = 1024 * 1024;

function hashFile(path: string): string {
  const digest = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const descriptor = openSync(path, "r");
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
      digest.update(chunk.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
  return digest.digest("hex");
}

function openListing(file: Buffer): Listing | null {
  if (file.length < HEADER_NUMBERS * NUMBER_BYTES || file.byteOffset % NUMBER_BYTES !== 0) return null;
  const view = (from: number, count: number) => new Uint32Array(file.buffer, file.byteOffset + from, count);
  const [mark, records = 0, length = 0] = view(0, HEADER_NUMBERS);
  const slots = HEADER_NUMBERS * NUMBER_BYTES + records * NUMBER_BYTES;
  const ids = slots + countSlots(records) * NUMBER_BYTES;
  const bytes = ids + records * ID_BYTES;
  if (mark !== MARK || bytes + length !== file.length) return null;
  return {
    starts: view(HEADER_NUMBERS * NUMBER_BYTES, records),
    slots: view(slots, countSlots(records)),
    ids: file.subarray(ids, bytes),
    bytes: file.subarray(bytes),
  };
}

function locateListing(observation: string, sha256: string): string {
  return `${observation}-${sha256}`;
}

/** Removes those that an observation does not name any more. */
export function removeListings(observation: string, kept: readonly string[]): void {
  const prefix = `${basename(observation)}-`;
  for (const name of readdirSync(dirname(observation))) {
    const sha256 = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (/^[0-9a-f]{64}$/.test(sha256) && !kept.includes(sha256))
      rmSync(join(dirname(observation), name), { force: true });
  }
}
