/** New inputs from known ones: by bytes, by lines, and by the values of JSON texts. */
import type { Random } from "../../scripts/random.ts";

export interface Material {
  readonly random: Random;
  readonly corpus: readonly Buffer[];
  readonly words: readonly string[];
  readonly generate?: ((random: Random) => Buffer) | undefined;
}

const BYTES_MAX = 64 * 1024;
/** One in so many comes from the grammar, where there is one. */
const MADE_IN = 3;
const NUMBERS = ["0", "-1", "-0", "1e999", "2147483648", "9007199254740993", "0.1", "NaN", "00"];
const NASTY = [
  '" { } [ ] , : \\ \0 \n \r\n \t \u2028 \ufeff \u001b[2J \u202e'.split(" "),
  ["```", "../", "<!--", "]]>", "&#x0;", '"__proto__":{"a":1},', '"\\ud800"', "\\u0000"],
  ["[{(", "[".repeat(3000), '{"a":'.repeat(3000), " ".repeat(20_000), "(".repeat(2000), "a-".repeat(5000)],
].flat();
const BAD_UTF8 = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0x80]].map((bytes) => Buffer.from(bytes));

type Edit = (data: Buffer, material: Material) => Buffer;

/** One to eight edits of one known input, or none to eight of one that the grammar makes. */
export function mutate(material: Material): Buffer {
  const { random, corpus, generate } = material;
  const isMade = generate !== undefined && (corpus.length === 0 || random.below(MADE_IN) === 0);
  let data = isMade ? generate(random) : (random.pick(corpus) ?? Buffer.alloc(0));
  const count = isMade && random.below(2) === 0 ? 0 : 1 << random.below(4);
  for (let done = 0; done < count; done += 1) {
    const edit = random.pick(EDITS) ?? setByte;
    data = edit(data, material).subarray(0, BYTES_MAX);
  }
  return data;
}

const setByte: Edit = (data, { random }) => {
  const bent = Buffer.from(data);
  if (bent.length > 0) bent[random.below(bent.length)] = random.below(256);
  return bent;
};

const flipBit: Edit = (data, { random }) => {
  const bent = Buffer.from(data);
  const at = random.below(bent.length);
  if (bent.length > 0) bent[at] = (bent[at] ?? 0) ^ (1 << random.below(8));
  return bent;
};

const insertPiece: Edit = (data, { random, words }) => {
  const piece = random.pick([
    Buffer.from(random.pick(words) ?? ""),
    Buffer.from(random.pick(NASTY) ?? ""),
    Buffer.from(random.pick(NUMBERS) ?? ""),
    random.pick(BAD_UTF8) ?? Buffer.alloc(0),
  ]);
  return splice(data, { at: random.below(data.length + 1), drop: random.below(4), piece: piece ?? Buffer.alloc(0) });
};

const removeBytes: Edit = (data, { random }) =>
  splice(data, { at: random.below(data.length + 1), drop: random.below(64), piece: Buffer.alloc(0) });

const repeatBytes: Edit = (data, { random }) => {
  const from = random.below(data.length + 1);
  const piece = data.subarray(from, from + random.below(200));
  return splice(data, { at: random.below(data.length + 1), drop: 0, piece });
};

const cutEnd: Edit = (data, { random }) => data.subarray(0, random.below(data.length + 1));

/** The beginning of this one and the end of another. */
const crossOver: Edit = (data, { random, corpus }) => {
  const other = random.pick(corpus) ?? data;
  return Buffer.concat([
    data.subarray(0, random.below(data.length + 1)),
    other.subarray(random.below(other.length + 1)),
  ]);
};

function splice(data: Buffer, { at, drop, piece }: { at: number; drop: number; piece: Buffer }): Buffer {
  return Buffer.concat([data.subarray(0, at), piece, data.subarray(at + drop)]);
}

const changeNumber: Edit = (data, { random }) => {
  const text = data.toString("latin1");
  const found = [...text.matchAll(/\d+/gu)];
  const at = random.pick(found);
  if (at === undefined) return data;
  const number = Number(at[0]);
  const other = random.pick([...NUMBERS, String(number + 1), String(number - 1), String(number * 2)]) ?? "0";
  return Buffer.from(text.slice(0, at.index) + other + text.slice(at.index + at[0].length), "latin1");
};

const changeLines: Edit = (data, { random, corpus }) => {
  const lines = data.toString("latin1").split("\n");
  const at = random.below(lines.length);
  const others = (random.pick(corpus) ?? data).toString("latin1").split("\n");
  const edits = [
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, lines[random.below(lines.length)] ?? ""),
    () => lines.splice(at, random.below(3), random.pick(others) ?? ""),
    () => lines.splice(at, 1, ...(lines[at] ?? "").split(" ").toReversed()),
  ];
  random.pick(edits)?.();
  return Buffer.from(lines.join("\n"), "latin1");
};

/** Another value somewhere in a line that is JSON; the line stays JSON. */
const changeJson: Edit = (data, material) => {
  const { random } = material;
  const text = data.toString("utf8");
  const whole = parse(text);
  if (whole !== undefined) return Buffer.from(JSON.stringify(changeValue(whole, material)));
  const lines = text.split("\n");
  const at = random.below(lines.length);
  const value = parse(lines[at] ?? "");
  if (value === undefined) return data;
  lines[at] = JSON.stringify(changeValue(value, material)) ?? "";
  return Buffer.from(lines.join("\n"));
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function changeValue(value: unknown, material: Material): unknown {
  const { random } = material;
  if (typeof value !== "object" || value === null || random.below(4) === 0) return makeValue(value, material);
  const entries = Object.entries(value);
  const at = random.below(entries.length);
  const entry = entries[at];
  if (entry === undefined) return makeValue(value, material);
  const choice = random.below(8);
  if (choice === 0) entries.splice(at, 1);
  else if (choice === 1) entries.push([random.pick(material.words) ?? "extra", entry[1]]);
  else entries[at] = [entry[0], changeValue(entry[1], material)];
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function makeValue(value: unknown, { random, words, corpus }: Material): unknown {
  return random.pick<unknown>([
    null,
    true,
    random.below(1000) - 500,
    Number(random.pick(NUMBERS)),
    [],
    {},
    [value, value],
    { value },
    random.pick(NASTY),
    random.pick(words) ?? "",
    String(value).repeat(1 + random.below(3)),
    (random.pick(corpus) ?? Buffer.alloc(0)).toString("utf8", 0, 200),
  ]);
}

/** The ones that know the format more often. */
const EDITS: readonly Edit[] = [
  [setByte, flipBit, insertPiece, insertPiece, removeBytes, repeatBytes, cutEnd, crossOver],
  [changeNumber, changeLines, changeLines, changeJson, changeJson, changeJson],
].flat();
