/**
 * Finds pieces of secret files in other texts: values and keys that look random, also reversed, in hexadecimal or in
 * base64. Only letters and digits are compared, so quotes, line breaks and joined strings hide nothing.
 */
export interface SecretFile {
  /** As text, for a person. */
  readonly path: string;
  readonly content: Buffer;
  /** In a file that git tracks, only what looks random counts: it may be an example. */
  readonly isTracked: boolean;
}

export interface SecretHit {
  readonly path: string;
  /** As the secret file has it. Never show it. */
  readonly token: string;
}

/** Shorter pieces occur by chance. */
const TOKEN_CHARS_MIN = 12;
const PASSWORD_CHARS_MIN = 8;
const VALUE_CHARS_MIN = 6;
/** Every needle is at least as long; texts are searched by pieces of this length. */
const PIECE_CHARS = 8;
const LINES_MIN = 3;
const LINES_BYTES_MIN = 48;

interface Needle extends SecretHit {
  readonly text: string;
}

type Needles = ReadonlyMap<string, readonly Needle[]>;

/** Finds the first piece of one of the files that the text has and the earlier text has not. */
export function makeSecretSearch(files: readonly SecretFile[]) {
  const needles = files.flatMap(listNeedles);
  const plain = indexNeedles(needles.filter(({ isHex }) => !isHex));
  const hex = indexNeedles(needles.filter(({ isHex }) => isHex));
  return (text: Buffer, earlier: Buffer | null): readonly SecretHit[] => {
    const letters = keepLetters(text);
    const found = [...findNeedles(letters, plain), ...findNeedles(letters.toLowerCase(), hex)];
    const wasThere = makeNeedleTest(found.length === 0 ? null : earlier);
    return found.filter((needle) => !wasThere(needle));
  };
}

function makeNeedleTest(text: Buffer | null): (needle: Needle) => boolean {
  const letters = text === null ? "" : keepLetters(text);
  const folded = letters.toLowerCase();
  return (needle) => letters.includes(needle.text) || folded.includes(needle.text);
}

/** The secret file whose lines are all in this text, though not in the earlier one. */
export function findWholeText(files: readonly SecretFile[], text: Buffer, earlier: Buffer | null): string | null {
  const lines = listLines(text);
  const known = earlier === null ? new Set<string>() : listLines(earlier);
  const copied = files.find(({ content }) => {
    const own = [...listLines(content)];
    const isTrivial = own.length < LINES_MIN || own.join("").length < LINES_BYTES_MIN;
    return !isTrivial && own.every((line) => lines.has(line)) && !own.every((line) => known.has(line));
  });
  return copied?.path ?? null;
}

/** Replaces secret values in all texts of a builder's answer. */
export function maskSecrets<Words>(files: readonly SecretFile[], words: Words): Words {
  const tokens = files.flatMap(({ path, ...file }) => listTokens(file).map((token) => ({ path, token })));
  const mask = (text: string): string =>
    tokens.reduce((masked, { path, token }) => masked.replaceAll(token, `[from ${path}]`), text);
  return JSON.parse(JSON.stringify(words), (_, value: unknown) => (typeof value === "string" ? mask(value) : value));
}

function listLines(text: Buffer): ReadonlySet<string> {
  const lines = text.toString("latin1").split("\n");
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ""));
}

/** Keys and values that look random; in files that git does not track, also what is named as a secret. */
function listTokens({ content, isTracked }: Omit<SecretFile, "path">): readonly string[] {
  const text = content.toString("latin1");
  const runs = [...text.matchAll(/[A-Za-z0-9+/_-]{12,}/gu)].map(([run]) => run).filter(looksRandom);
  const passwords = [...text.matchAll(/:\/\/[^\s/:@]*:(?<password>[^\s@]{8,})@/gu)]
    .map(({ groups }) => groups?.["password"] ?? "")
    .filter((password) => isMixed(password) && countLetters(password) >= PASSWORD_CHARS_MIN);
  const values = isTracked ? [] : listNamedValues(text);
  return [...new Set([...runs, ...passwords, ...values])];
}

const NAMED_VALUE = /^\s*(?:export\s+)?["']?(?<name>[\w.-]+)["']?\s*[=:]\s*["']?(?<value>[^\s"']+)["',;]*\s*$/gmu;
const SECRET_NAME =
  /(?:secret|token|password|passwd|passphrase|(?:api|access|private|encryption|signing)_?key|credentials?)$/iu;

/** A short value counts only together with its name. */
function listNamedValues(text: string): readonly string[] {
  return [...text.matchAll(NAMED_VALUE)].flatMap(({ 0: line, groups }) => {
    const { name = "", value = "" } = groups ?? {};
    const isNamed = SECRET_NAME.test(name) && !value.includes("://");
    if ((isNamed || isMixed(value)) && countLetters(value) >= TOKEN_CHARS_MIN) return [value];
    return isNamed && countLetters(value) >= VALUE_CHARS_MIN ? [line.trim()] : [];
  });
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const WORD_CHARS_MIN = 10;
const LONG_CHARS_MIN = 20;
const WORD_BITS_MIN = 2.5;
const LONG_BITS_MIN = 4;

/** Digits among the letters of one long word, or a long run of all kinds of characters. Names and versions are neither. */
function looksRandom(token: string): boolean {
  if (UUID.test(token)) return true;
  const words = token.split(/[^A-Za-z0-9]/u).filter((word) => word.length >= WORD_CHARS_MIN);
  if (words.some((word) => isMixed(word) && measureBits(word) >= WORD_BITS_MIN)) return true;
  const isOfAllKinds = /[a-z]/u.test(token) && /[A-Z]/u.test(token) && /\d/u.test(token);
  return isOfAllKinds && token.length >= LONG_CHARS_MIN && measureBits(token) >= LONG_BITS_MIN;
}

function isMixed(word: string): boolean {
  return /[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d/u.test(word);
}

/** Shannon's entropy of one character. */
export function measureBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}

function countLetters(text: string): number {
  return keepLetters(Buffer.from(text, "latin1")).length;
}

function keepLetters(text: Buffer): string {
  return text.toString("latin1").replaceAll(/[^A-Za-z0-9]+/gu, "");
}

function listNeedles({ path, ...file }: SecretFile): readonly (Needle & { readonly isHex: boolean })[] {
  return listTokens(file).flatMap((token) => {
    const bytes = Buffer.from(token, "latin1");
    const letters = keepLetters(bytes);
    const plain = [letters, Array.from(letters).toReversed().join(""), ...listBase64(bytes)];
    return [
      ...plain.filter((text) => text.length >= PIECE_CHARS).map((text) => ({ path, token, text, isHex: false })),
      { path, token, text: bytes.toString("hex"), isHex: true },
    ];
  });
}

/** In base64 a piece looks different at each of three places; its first and last characters depend on its neighbours. */
function listBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const whole = Math.floor(((shift + bytes.length) * 8) / 6);
    return keepLetters(Buffer.from(text.slice(shift === 0 ? 0 : shift + 1, whole)));
  });
}

function indexNeedles(needles: readonly Needle[]): Needles {
  const index = new Map<string, Needle[]>();
  for (const needle of needles) {
    const piece = needle.text.slice(0, PIECE_CHARS);
    const known = index.get(piece);
    if (known === undefined) index.set(piece, [needle]);
    else known.push(needle);
  }
  return index;
}

/** One pass over the text, however many needles there are. */
function findNeedles(letters: string, index: Needles): readonly Needle[] {
  const found: Needle[] = [];
  if (index.size === 0) return found;
  for (let at = 0; at + PIECE_CHARS <= letters.length; at += 1) {
    const near = index.get(letters.slice(at, at + PIECE_CHARS));
    if (near !== undefined) found.push(...near.filter(({ text }) => letters.startsWith(text, at)));
  }
  return found;
}
