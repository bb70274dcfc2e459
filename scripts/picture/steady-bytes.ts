/**
 * Makes a recording say the same each time it is made.
 *
 * Names of ticks, commits, folders and times differ from run to run and say nothing in a picture. The
 * codes, the files and every word of a verdict stay as they were printed. What may stand where the cursor is moved by
 * columns is replaced by something as long.
 */
import { createHash } from "node:crypto";
import type { Chunk } from "./pty-recording.ts";

type Replace = (text: string) => string;

/** Keeps count over all recordings of a picture, so that the same tick has the same name everywhere. */
export function steadyNames(folders: Readonly<Record<string, string>>): (chunks: readonly Chunk[]) => readonly Chunk[] {
  const runs = numbered((at) => `20260131T12${String(at).padStart(2, "0")}00Z-${hashOf(`run ${at}`, 8)}`);
  const commits = numbered((at) => hashOf(`commit ${at}`, 12));
  // A sequence of the terminal ends with a letter, so what stands before a number is asked for and not a border of words.
  const rules: readonly (readonly [RegExp, Replace])[] = [
    [/(?<!\d)\d{8}T\d{6}Z-[0-9a-f]{8}\b/g, runs],
    [/(?<![0-9a-f])(?=[0-9a-f]*\d)[0-9a-f]{12}\b/g, commits],
    [/(?<![\d.])\d+ ms\b/g, (text) => text.replace(/\d+/, roundedNumber)],
    [/(?<!\d)\d+\.\d s\b/g, (text) => text.replace(/\.\d/, ".0")],
    ...Object.entries(folders).map(([from, to]): readonly [RegExp, Replace] => [new RegExp(from, "g"), () => to]),
  ];
  return (chunks) => rules.reduce((list, [pattern, replace]) => replaced(list, pattern, replace), chunks);
}

/** Gives each text that it meets the next name, and the same one ever after. */
function numbered(name: (at: number) => string): Replace {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text) ?? name(known.size + 1);
    known.set(text, found);
    return found;
  };
}

function hashOf(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** The first digit and noughts: as long as before. */
function roundedNumber(digits: string): string {
  return `${digits.slice(0, 1)}${"0".repeat(digits.length - 1)}`;
}

/** Replaces across the borders of chunks; what is new belongs to the chunk in which the old text began. */
function replaced(chunks: readonly Chunk[], pattern: RegExp, replace: Replace): readonly Chunk[] {
  const whole = Buffer.concat(chunks.map(({ data }) => data)).toString("latin1");
  const matches = [...whole.matchAll(pattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    text: Buffer.from(replace(match[0])).toString("latin1"),
  }));
  let start = 0;
  return chunks.map(({ atMs, data }) => {
    const [from, to] = [start, start + data.length];
    start = to;
    let [text, at] = ["", from];
    for (const match of matches) {
      if (match.to <= from || match.from >= to) continue;
      text += whole.slice(at, Math.max(at, match.from)) + (match.from >= from ? match.text : "");
      at = Math.min(to, match.to);
    }
    return { atMs, data: Buffer.from(text + whole.slice(at, to), "latin1") };
  });
}
