/**
 * Keeps secrets out of transcripts.
 *
 * An agent that prints its environment prints its keys, and a transcript is kept for long and shown to others. So the
 * values of variables with secret names are replaced, also where a value is split between two chunks: the end of a
 * chunk that may begin a secret waits for the next one.
 */
const SECRET_NAME = /^(?!GIT_CONFIG_).*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)/iu;
/** Shorter values occur by chance. */
const SECRET_CHARS_MIN = 8;
/** Longer than any key; a file that somebody put into a variable is compared by its beginning. */
const SECRET_BYTES_MAX = 4096;
const REPLACEMENT = Buffer.from("[redacted]");

/** Secret values of an environment, as they are and as JSON writes them. */
export function listSecrets(variables: Readonly<Record<string, string>>): readonly Buffer[] {
  const values = Object.entries(variables)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SECRET_CHARS_MIN)
    .flatMap(([, value]) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(values)]
    .map((value) => Buffer.from(value).subarray(0, SECRET_BYTES_MAX))
    .toSorted((one, other) => other.length - one.length);
}

export function redactSecrets(text: Buffer, secrets: readonly Buffer[]): Buffer {
  const { shown, end } = replaceSecrets(text, secrets);
  return end === 0 ? text : Buffer.concat([...shown, text.subarray(end)]);
}

/** Replaces the secrets in one stream; the longest come first, so that one that holds another is replaced whole. */
export function createRedactor(secrets: readonly Buffer[]) {
  let waiting = Buffer.alloc(0);
  return {
    take: (chunk: Buffer): Buffer => {
      if (secrets.length === 0) return chunk;
      const text = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      const { shown, end } = replaceSecrets(text, secrets);
      const held = measureHeldBack(text.subarray(end), secrets);
      waiting = Buffer.from(text.subarray(text.length - held));
      return Buffer.concat([...shown, text.subarray(end, text.length - held)]);
    },
    rest: (): Buffer => {
      const left = waiting;
      waiting = Buffer.alloc(0);
      return left;
    },
  };
}

interface SecretPlace {
  readonly at: number;
  readonly length: number;
}

/** The pieces up to the end of the last secret, and that end. */
function replaceSecrets(text: Buffer, secrets: readonly Buffer[]): { shown: Buffer[]; end: number } {
  const shown: Buffer[] = [];
  let end = 0;
  for (let found = findFirst(text, secrets, 0); found !== null; found = findFirst(text, secrets, end)) {
    shown.push(text.subarray(end, found.at), REPLACEMENT);
    end = found.at + found.length;
  }
  return { shown, end };
}

/** The first secret from a place on, and of two at the same place the longer one. */
function findFirst(text: Buffer, secrets: readonly Buffer[], from: number): SecretPlace | null {
  let first: SecretPlace | null = null;
  for (const secret of secrets) {
    const at = text.indexOf(secret, from);
    if (at !== -1 && (first === null || at < first.at)) first = { at, length: secret.length };
  }
  return first;
}

/** How many bytes at the end may be the beginning of a secret. */
function measureHeldBack(text: Buffer, secrets: readonly Buffer[]): number {
  const overlaps = secrets.map((secret) => {
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
      if (text.subarray(text.length - length).equals(secret.subarray(0, length))) return length;
    return 0;
  });
  return Math.max(0, ...overlaps);
}
