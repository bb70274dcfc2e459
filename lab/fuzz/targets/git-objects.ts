import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import type { FuzzTarget } from "../target.ts";
import { makeRandom, type Random } from "../../../scripts/random.ts";
import { readRefs, resolveHead } from "../../../src/evidence/pure/refs.ts";
import { readHeadFiles } from "../../../src/git/head-files.ts";
import { type ObjectReader, openObjectReader, readPlainCommit } from "../../../src/git/object-files.ts";
import { listExtensions, readCachedTrees } from "../../../src/store/index-extensions.ts";

const SIZE_MAX = 4096;
const ANY = { type: null, size: null, sizeMax: SIZE_MAX };
const ID = "0123456789abcdef0123456789abcdef01234567";
const NAMES_AT = 8 + 256 * 4;
const ASKED_MAX = 6;
/** In front of an input: how long the index of its pack is. The pack follows. */
const LENGTH_BYTES = 4;
const TYPES = ["commit", "tree", "blob"] as const;
const SEEDS = 8;

/** Objects of git, loose and in packs, and HEAD with its refs: relais reads them without git, and a builder can write them. */
export const gitObjects: FuzzTarget = {
  name: "git-objects",
  seeds: () => [
    ...Array.from({ length: SEEDS }, (_, seed) => generate(makeRandom(seed))),
    makeLoose("blob", Buffer.from("x")),
    Buffer.from(`ref: refs/heads/main\n\n${ID} refs/heads/main\n`),
    makeTrees("\0-1 1\nsub\u00002 0\n"),
    makeTrees(`\u00003 1\n${"a".repeat(20)}sub\u00002 0\n`),
  ],
  words: ["blob 1\0", "refs/heads/main", "ref: ", "\u00fftOc", "TREE", "\u00001 0\n", "-1 1\n"],
  generate,
  check: (data) => {
    const folder = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
    try {
      checkObjects(folder, data);
      checkHead(folder, data.toString("utf8"));
    } finally {
      rmSync(folder, { recursive: true });
    }
    checkExtensions(data);
  },
};

/** What is found is what its name says, whoever wrote the files; and odd files are left to git without a crash. */
function checkObjects(folder: string, data: Buffer): void {
  const length = data.length < LENGTH_BYTES ? 0 : data.readUInt32BE(0);
  const index = data.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
  const put = (path: string, bytes: Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  };
  put("objects/pack/pack-a.idx", index);
  put("objects/pack/pack-a.pack", data.subarray(LENGTH_BYTES + length));
  put(`objects/${ID.slice(0, 2)}/${ID.slice(2)}`, data);
  const reader = openObjectReader(folder);
  try {
    for (const id of [ID, ...listNames(index)]) checkObject(reader, id);
  } finally {
    reader.close();
  }
}

function listNames(index: Buffer): readonly string[] {
  const names = index.subarray(NAMES_AT);
  const count = Math.min(ASKED_MAX, Math.floor(names.length / 20));
  return Array.from({ length: count }, (_, at) => names.toString("hex", 20 * at, 20 * at + 20));
}

function checkObject(reader: ObjectReader, id: string): void {
  const found = reader.find(id, ANY);
  const has = reader.has(id);
  const commit = readPlainCommit(reader, id);
  if (found === null) return;
  const { type, content } = found;
  assert(has, "an object that is read and is not there");
  assert.equal(hashObject(type, content), id, "another object than its name says");
  assert(content.length <= SIZE_MAX, `${content.length} bytes`);
  assert.equal(commit === null, type !== "commit", "a commit is a commit");
  assert.equal(reader.read(id, { ...ANY, size: content.length + 1 }), null, "another size than was asked for");
}

/** Both readers of HEAD say the same, where both say something. */
function checkHead(folder: string, text: string): void {
  const [head = "", loose = "", ...packed] = text.split("\n");
  const files = { HEAD: head, "refs/heads/main": loose, "packed-refs": packed.join("\n") };
  for (const [path, content] of Object.entries(files)) {
    if (path.startsWith("refs/") && content === "") continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const plain = readHeadFiles({ gitDir: folder, commonDir: folder });
  if (plain === null) return;
  const refs = readRefs(files["packed-refs"], loose === "" ? [] : [["refs/heads/main", loose]]);
  assert.match(plain.commit ?? "", /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u);
  assert.deepEqual(plain, resolveHead(head, refs), "two readers of one HEAD disagree");
}

/** Ids are whole, and nothing is read behind the end. */
function checkExtensions(data: Buffer): void {
  const end = Math.max(0, data.length - 20);
  for (const extension of refuseOr(() => listExtensions(data, { extensionsAt: 0, extensionsEnd: end })) ?? []) {
    assert(extension.name.length === 4 && extension.data.length <= end, "an extension that is longer than its file");
    for (const [, id] of refuseOr(() => readCachedTrees(extension.data, 20)) ?? []) assert.match(id, /^[0-9a-f]{40}$/u);
  }
}

/** Null stands for the declared refusal, a plain error. */
function refuseOr<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    assert(error instanceof Error && error.constructor === Error, String(error));
    return null;
  }
}

const hashObject = (type: string, content: Buffer): string =>
  createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex");

const makeLoose = (type: string, content: Buffer): Buffer =>
  deflateSync(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]));

/** The trees of an index, with an id behind the last one, and the place of the checksum. */
function makeTrees(lines: string): Buffer {
  const data = Buffer.from(`${lines}${"b".repeat(20)}`, "latin1");
  return Buffer.concat([Buffer.from("TREE"), writeNumbers([data.length]), data, Buffer.alloc(20)]);
}

interface Packed {
  readonly id: string;
  readonly bytes: Buffer;
}

/** A pack of a few objects, whole or as differences, and its index; now and then a number in it is another one. */
function generate(random: Random): Buffer {
  const pack: Packed[] = [];
  const whole: { readonly type: (typeof TYPES)[number]; readonly content: Buffer; readonly at: number }[] = [];
  let at = 12;
  for (let count = 1 + random.below(5); count > 0; count -= 1) {
    const base = random.pick(whole);
    const type = base?.type ?? random.pick(TYPES) ?? "blob";
    const isDelta = base !== undefined && random.below(2) === 0;
    const tail = Buffer.from(String(random.below(1000)));
    const content = isDelta ? Buffer.concat([base.content, tail]) : Buffer.alloc(random.below(60), tail);
    const stored = isDelta ? makeDelta(base.content, tail) : content;
    const header = isDelta
      ? [...makeHeader(6, stored.length), ...makeDistance(slip(random, at - base.at))]
      : makeHeader(TYPES.indexOf(type) + 1, slip(random, stored.length));
    const bytes = Buffer.concat([Buffer.from(header), deflateSync(stored)]);
    pack.push({ id: hashObject(type, content), bytes });
    whole.push({ type, content, at });
    at += bytes.length;
  }
  const index = makeIndex(random, pack);
  const head = Buffer.alloc(LENGTH_BYTES);
  head.writeUInt32BE(slip(random, index.length));
  const intro = Buffer.from("PACK\0\0\0\u0002\0\0\0\u0001", "latin1");
  return Buffer.concat([head, index, intro, ...pack.map(({ bytes }) => bytes)]);
}

function makeIndex(random: Random, pack: readonly Packed[]): Buffer {
  let at = 12;
  const placed = pack.map(({ id, bytes }) => {
    const entry = { id, at };
    at += bytes.length;
    return entry;
  });
  const sorted = placed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const numbers = Array.from({ length: 256 }, (_, first) => {
    const count = sorted.filter(({ id }) => Number.parseInt(id.slice(0, 2), 16) <= first).length;
    return random.below(2000) === 0 ? random.below(2 ** 32) : count;
  });
  const offsets = sorted.map((entry) => slip(random, entry.at));
  return Buffer.concat([
    Buffer.from([0xff, 0x74, 0x4f, 0x63]),
    writeNumbers([2, ...numbers]),
    Buffer.from(sorted.map(({ id }) => id).join(""), "hex"),
    writeNumbers(sorted.map(() => 0)),
    writeNumbers(offsets),
  ]);
}

const SLIPS = [0, 1, -1, 2 ** 31, 2 ** 32 - 1, 2 ** 20];

/** The same number, or for one in forty another one. */
function slip(random: Random, number: number): number {
  if (random.below(40) > 0) return number;
  return Math.min(2 ** 32 - 1, Math.max(0, number + (random.pick(SLIPS) ?? 0)));
}

function writeNumbers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at);
  return bytes;
}

function makeHeader(type: number, size: number): readonly number[] {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return bytes;
}

function makeDistance(distance: number): readonly number[] {
  const bytes = [distance & 0x7f];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift((rest & 0x7f) | 0x80);
  }
  return bytes;
}

/** All of the base, and some bytes more. */
function makeDelta(base: Buffer, tail: Buffer): Buffer {
  const copy = base.length === 0 ? [] : [0x80 | 0x10 | 0x20, base.length & 0xff, base.length >> 8];
  return Buffer.concat([
    Buffer.from([...makeSize(base.length), ...makeSize(base.length + tail.length), ...copy, tail.length]),
    tail,
  ]);
}

function makeSize(size: number): readonly number[] {
  return size < 128 ? [size] : [(size & 0x7f) | 0x80, size >> 7];
}
