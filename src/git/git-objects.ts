/**
 * Reads objects through one `git cat-file --batch-command`, however many they are.
 *
 * Content streams through: of a large object only its size and its number of lines are kept. A name can depend on an
 * earlier answer, so one process can follow a tree to a file.
 */
import { MeasurementError } from "../base/errors.ts";
import { type GitAccess, runGit } from "./git.ts";

export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly size: number;
  /** Counted whether or not the content was kept. */
  readonly newlines: number;
  /** The content, unless it is longer than the reader asked to keep. */
  readonly content: Buffer | null;
}

/** The name is a byte string without line ends. */
export type ReadObject = (name: string, keepBytesMax: number) => Promise<GitObject>;

/** Its size, before any content is read; null where the object is missing, as in a partial clone. */
export type MeasureObject = (name: string) => Promise<number | null>;

const SIZE_LINE_BYTES_MAX = 256;

/** The sizes of blobs in the order of their ids; null for what is missing or no blob. */
export async function readBlobSizes(access: GitAccess, ids: readonly string[]): Promise<readonly (number | null)[]> {
  return (await checkObjects(access, ids)).map(({ type, size }) => (type === "blob" ? size : null));
}

/** The types of objects in the order of their ids; null for a missing one. */
export async function readObjectTypes(access: GitAccess, ids: readonly string[]): Promise<readonly (string | null)[]> {
  return (await checkObjects(access, ids)).map(({ type }) => type);
}

interface CheckedObject {
  readonly type: string | null;
  readonly size: number | null;
}

async function checkObjects(access: GitAccess, ids: readonly string[]): Promise<readonly CheckedObject[]> {
  if (ids.length === 0) return [];
  const { stdout } = await runGit({
    ...access,
    args: ["cat-file", "--batch-check=%(objecttype) %(objectsize)"],
    input: Buffer.from(ids.map((id) => `${id}\n`).join("")),
    outputBytesMax: SIZE_LINE_BYTES_MAX * ids.length,
  });
  return parseChecks(stdout.toString("latin1"), ids.length);
}

export function parseChecks(text: string, count: number): readonly CheckedObject[] {
  const lines = text.split("\n");
  if (lines.length !== count + 1) throw new MeasurementError("git cat-file", "not one answer for each question");
  return lines.slice(0, count).map((line) => {
    const found = /^(?<type>blob|tree|commit|tag) (?<size>\d{1,15})$/.exec(line)?.groups;
    return found === undefined
      ? { type: null, size: null }
      : { type: found["type"] ?? null, size: Number(found["size"]) };
  });
}

const HEADER_BYTES_MAX = 8 * 1024;
const NEWLINE = 0x0a;

interface PendingContent {
  readonly kind: "content";
  readonly name: string;
  readonly keepBytesMax: number;
  readonly resolve: (object: GitObject) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingSize {
  readonly kind: "size";
  readonly name: string;
  readonly resolve: (size: number | null) => void;
  readonly reject: (error: unknown) => void;
}

type PendingObject = PendingContent | PendingSize;

/** Lends functions that read and measure objects; one that is missing or not whole cannot be read. */
export async function withObjects<T>(
  access: GitAccess,
  use: (read: ReadObject, measure: MeasureObject) => Promise<T>,
): Promise<T> {
  // Started with the first question: where objects are found without git, there is none.
  const git: { started: ObjectProcess | null } = { started: null };
  const start = (): ObjectProcess => (git.started ??= startReading(access));
  try {
    const result = await use(
      (name, keepBytesMax) => start().ask(name, keepBytesMax),
      (name) => start().measure(name),
    );
    await git.started?.finish();
    return result;
  } finally {
    await git.started?.end();
  }
}

type ObjectProcess = ReturnType<typeof startReading>;

function startReading(access: GitAccess) {
  const pending: PendingObject[] = [];
  const names = openNameQueue();
  const finished = runGit({
    ...access,
    args: ["cat-file", "--batch-command", "--buffer"],
    input: names.iterable,
    onStdout: openObjectParser(pending),
    outputBytesMax: Number.MAX_SAFE_INTEGER,
  });
  let failure: { readonly reason: unknown } | null = null;
  const giveUp = (reason: unknown): void => {
    failure = { reason };
    for (const { reject } of pending.splice(0)) reject(reason);
  };
  const settled = finished.then(
    () => giveUp(new MeasurementError("git cat-file", "ended before every object was read")),
    giveUp,
  );
  const end = async (): Promise<void> => {
    names.end();
    await settled;
  };
  const put = (command: string, question: PendingObject): void => {
    if (failure !== null) return question.reject(failure.reason);
    pending.push(question);
    names.push(`${command} ${question.name}`);
  };
  return {
    ask: (name: string, keepBytesMax: number): Promise<GitObject> =>
      new Promise((resolve, reject) => put("contents", { kind: "content", name, keepBytesMax, resolve, reject })),
    measure: (name: string): Promise<number | null> =>
      new Promise((resolve, reject) => put("info", { kind: "size", name, resolve, reject })),
    end,
    /** Throws where git failed, whether or not an answer was missed. */
    finish: async (): Promise<void> => {
      await end();
      await finished;
    },
  };
}

const FLUSH = Buffer.from("flush\n");

/** An input that grows until it is ended: git waits for the next name, and so do we. */
function openNameQueue() {
  const waiting: Buffer[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  async function* iterable(): AsyncGenerator<Buffer> {
    for (;;) {
      const batch = waiting.splice(0);
      // Git keeps its answers until it reads this.
      if (batch.length > 0) yield Buffer.concat([...batch, FLUSH]);
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    iterable: iterable(),
    push: (name: string): void => {
      waiting.push(Buffer.from(`${name}\n`, "latin1"));
      wake?.();
    },
    end: (): void => {
      ended = true;
      wake?.();
    },
  };
}

/** Parses the output: a header line, as many bytes as it announces, a line feed, and so on. */
export function openObjectParser(pending: PendingObject[]): (chunk: Buffer) => void {
  let header = Buffer.alloc(0);
  let body: ObjectBody | null = null;
  return (chunk) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (body === null) {
        const end = rest.indexOf(NEWLINE);
        header = Buffer.concat([header, end === -1 ? rest : rest.subarray(0, end)]);
        if (header.length > HEADER_BYTES_MAX) throw new Error("an unreadable header");
        if (end === -1) return;
        rest = rest.subarray(end + 1);
        body = startBody(header.toString("latin1"), pending);
        header = Buffer.alloc(0);
      } else {
        rest = body.take(rest);
        if (body.isComplete()) body = null;
      }
    }
  };
}

interface ObjectBody {
  readonly take: (chunk: Buffer) => Buffer;
  readonly isComplete: () => boolean;
}

function startBody(header: string, pending: PendingObject[]): ObjectBody | null {
  // It stays among the pending ones until it is whole: should git end before that, it is given up like the others.
  const request = pending[0];
  if (request === undefined) throw new Error("an unexpected object");
  const found = /^(?<id>[0-9a-f]{40,64}) (?<type>[a-z]+) (?<size>\d+)$/.exec(header)?.groups;
  if (request.kind === "size") {
    pending.shift();
    request.resolve(found === undefined ? null : Number(found["size"]));
    return null;
  }
  if (found === undefined) {
    pending.shift();
    request.reject(new MeasurementError(`object ${request.name}`, header));
    return null;
  }
  const head = { id: found["id"] ?? "", type: found["type"] ?? "", size: Number(found["size"]) };
  return openBody(head, {
    keepBytesMax: request.keepBytesMax,
    resolve: (object) => {
      pending.shift();
      request.resolve(object);
    },
  });
}

function openBody(
  head: Pick<GitObject, "id" | "type" | "size">,
  request: Pick<PendingContent, "resolve" | "keepBytesMax">,
): ObjectBody {
  const kept: Buffer[] | null = head.size <= request.keepBytesMax ? [] : null;
  let left = head.size;
  let newlines = 0;
  let complete = false;
  return {
    isComplete: () => complete,
    take: (chunk) => {
      const content = chunk.subarray(0, left);
      left -= content.length;
      newlines += countNewlines(content);
      kept?.push(content);
      const rest = chunk.subarray(content.length);
      if (left > 0 || rest.length === 0) return rest;
      if (rest[0] !== NEWLINE) throw new Error("an object that is longer than it should be");
      complete = true;
      request.resolve({ ...head, newlines, content: kept === null ? null : Buffer.concat(kept) });
      return rest.subarray(1);
    },
  };
}

export function countNewlines(content: Buffer): number {
  let count = 0;
  for (let at = content.indexOf(NEWLINE); at !== -1; at = content.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

interface SizedBlob {
  readonly id: string;
  readonly size: number;
}

/** The contents of blobs, by id. */
export async function readWanted(read: ReadObject, wanted: readonly SizedBlob[]): Promise<ReadonlyMap<string, Buffer>> {
  const sizes = new Map(wanted.map(({ id, size }) => [id, size]));
  const objects = await Promise.all([...sizes].map(([id, size]) => read(id, size)));
  return new Map(objects.flatMap(({ id, content }) => (content === null ? [] : [[id, content] as const])));
}
