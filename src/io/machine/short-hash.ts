/**
 * SHA-256 of a short text, the same as Node's own. The module of Node takes longer to load than `relais status` needs
 * for all of its work, and the name of the state directory is such a hash.
 */
const BLOCK = 64;
const LENGTH_BYTES = 8;
const TWO_TO_32 = 2 ** 32;

/** In hexadecimal. A text of more than a few lines is faster with Node's own. */
export function hashShortText(text: string): string {
  const bytes = Buffer.from(text);
  const padded = Buffer.alloc(Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK) * BLOCK);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(bytes.length * 8, padded.length - 4);
  const primes = Array.from({ length: 312 }, (_, at) => at).filter(isPrime);
  const rounds = Int32Array.from(primes, (prime) => takeFraction(Math.cbrt(prime)));
  const sums = Int32Array.from(primes.slice(0, 8), (prime) => takeFraction(Math.sqrt(prime)));
  for (let at = 0; at < padded.length; at += BLOCK) addBlock(sums, padded.subarray(at, at + BLOCK), rounds);
  return Array.from(sums, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The first bits of the fractions of the roots of the first primes are the constants of SHA-256. */
const takeFraction = (root: number): number => ((root % 1) * TWO_TO_32) | 0;

function isPrime(number: number): boolean {
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) return false;
  return number > 1;
}

const read = (words: Int32Array, at: number): number => words[at] ?? 0;
const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const turnThrice = (word: number, [one, two, three]: readonly [number, number, number]): number =>
  turn(word, one) ^ turn(word, two) ^ turn(word, three);

function addBlock(sums: Int32Array, block: Buffer, rounds: Int32Array): void {
  const words = expandBlock(block);
  const state = Int32Array.from(sums);
  for (let at = 0; at < BLOCK; at += 1) {
    const [a, b, c] = [read(state, 0), read(state, 1), read(state, 2)];
    const [e, f, g] = [read(state, 4), read(state, 5), read(state, 6)];
    const chosen = turnThrice(e, [6, 11, 25]) + ((e & f) ^ (~e & g));
    const added = read(state, 7) + chosen + read(rounds, at) + read(words, at);
    const majority = turnThrice(a, [2, 13, 22]) + ((a & b) ^ (a & c) ^ (b & c));
    state.copyWithin(1, 0, 7);
    state[4] = read(state, 4) + added;
    state[0] = added + majority;
  }
  for (const at of sums.keys()) sums[at] = read(sums, at) + read(state, at);
}

function expandBlock(block: Buffer): Int32Array {
  const words = new Int32Array(BLOCK);
  for (let at = 0; at < 16; at += 1) words[at] = block.readInt32BE(at * 4);
  for (let at = 16; at < BLOCK; at += 1) {
    const early = read(words, at - 15);
    const late = read(words, at - 2);
    const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const large = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[at] = read(words, at - 16) + small + read(words, at - 7) + large;
  }
  return words;
}
