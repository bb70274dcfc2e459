/** Bytes as an attacker, a crash or a careless program leaves them. */
import fc from "fast-check";

/** What has broken parsers before, here or elsewhere. */
const NASTY_TEXTS: readonly string[] = [
  '"{}[],:\\\0\n\r\t \u2028\u00a0\ufeff'.split(""),
  "-0 1e999 -1e999 1e-999 99999999999999999999 0x1 01 .5 NaN null true // ``` .. ../".split(" "),
  ['"__proto__":{"a":1},', '"constructor":1,', '"toString":null,', '"prototype":[],', '"a":1,"a":2,'],
  ['"\\ud800"', '"\\udc00\\ud800"', "\\u0000", "\\u005f_proto__", "/* x */"],
  "[{(".split("").map((bracket) => bracket.repeat(200)),
].flat();
/** No UTF-8: an end without a beginning, a letter that is too long, half a pair, half a letter, another encoding. */
const NASTY_BYTES = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0x80], [0xff, 0xfe]];
const NASTY: readonly Buffer[] = [...NASTY_TEXTS.map((text) => Buffer.from(text)), ...NASTY_BYTES.map(bytesOf)];

function bytesOf(values: readonly number[]): Buffer {
  return Buffer.from(values);
}

/** Any bytes at all. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

const nasty = fc.constantFrom(...NASTY);

/** Text that is made of the pieces of JSON and hardly ever is JSON. */
const almostJson: fc.Arbitrary<Buffer> = fc
  .array(fc.oneof(nasty, fc.jsonValue({ maxDepth: 1 }).map(textOf)), { maxLength: 30 })
  .map((pieces) => Buffer.concat(pieces));

function textOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

type Edit = (data: Buffer) => Buffer;

const place = fc.nat(100_000);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, fc.nat(255)).map(([at, byte]) => spliced(at, 1, () => bytesOf([byte]))),
  fc.tuple(place, fc.nat(7)).map(([at, bit]) => flipped(at, bit)),
  fc.tuple(place, fc.nat(3), nasty).map(([at, drop, inserted]) => spliced(at, drop, () => inserted)),
  fc.tuple(place, fc.nat(60)).map(([at, drop]) => spliced(at, drop, () => bytesOf([]))),
  fc.tuple(place, place, fc.nat(200)).map(([at, from, size]) => spliced(at, 0, piece(from, size))),
  place.map(
    (at): Edit =>
      (data) =>
        data.subarray(0, at % (data.length + 1)),
  ),
);

function spliced(at: number, drop: number, insert: (data: Buffer) => Buffer): Edit {
  return (data) => {
    const start = at % (data.length + 1);
    return Buffer.concat([data.subarray(0, start), insert(data), data.subarray(start + drop)]);
  };
}

function flipped(at: number, bit: number): Edit {
  return (data) => {
    const bent = Buffer.from(data);
    const position = at % Math.max(1, data.length);
    if (position < data.length) bent[position] = (bent[position] ?? 0) ^ (1 << bit);
    return bent;
  };
}

function piece(from: number, size: number): Edit {
  return (data) => {
    const start = from % (data.length + 1);
    return data.subarray(start, start + size);
  };
}

/** One of these valid inputs with a few small pieces of damage, now and then with none. */
export function damaged(valid: readonly Buffer[], editsMax = 4): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.constantFrom(...valid), fc.array(edit, { maxLength: editsMax }))
    .map(([data, edits]) => edits.reduce((bent, apply) => apply(bent), data));
}

/** Valid documents, damaged ones, and what only looks like one. */
export function hostileJson(valid: readonly unknown[]): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 6, arbitrary: damaged(valid.map(textOf)) },
    { weight: 1, arbitrary: almostJson },
    { weight: 1, arbitrary: anyBytes },
  );
}
