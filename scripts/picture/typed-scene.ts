/** A scene of the film: a line about it, commands that are typed, and what each of them printed. */
import type { Scene } from "./film.ts";
import type { Chunk } from "./pty-recording.ts";
import { type ScreenSize, screenFrames, TOGETHER_MS } from "./screen-frames.ts";

interface Played {
  readonly command: string;
  readonly chunks: readonly Chunk[];
  /** How long the end of it is to be looked at before the next one is typed. */
  readonly holdMs: number;
}

const TYPED_CHARS = 3;
const TYPED_MS = 80;
const BEFORE_TYPING_MS = 500;
const AFTER_TYPING_MS = 350;
/** Nobody wants to watch others wait, and no two recordings take exactly as long as each other. */
const PAUSE_MS = 300;

const PROMPT = "\u001b[32m$\u001b[39m ";
const CURSOR = "\u001b[7m \u001b[27m";

export async function typedScene(
  { about, lengthMs }: { readonly about: string; readonly lengthMs: number },
  played: readonly Played[],
  size: ScreenSize,
): Promise<Scene> {
  const chunks: Chunk[] = [{ atMs: 0, data: Buffer.from(`\u001b[2m# ${about}\u001b[22m\r\n`) }];
  let atMs = 0;
  for (const [index, { command, chunks: printed, holdMs }] of played.entries()) {
    const typed = typedChunks(command, { atMs, isFirst: index === 0 });
    chunks.push(...typed);
    atMs = (typed.at(-1)?.atMs ?? atMs) + AFTER_TYPING_MS;
    const hurried = hurry(printed, atMs);
    chunks.push(...hurried);
    atMs = (hurried.at(-1)?.atMs ?? atMs) + holdMs;
  }
  return { frames: await screenFrames(chunks, size), lengthMs };
}

/** A prompt on a line of its own, and the command a few letters at a time, with a cursor behind them. */
function typedChunks(
  command: string,
  { atMs, isFirst }: { readonly atMs: number; readonly isFirst: boolean },
): Chunk[] {
  const shown = (text: string) => Buffer.from(`\r\u001b[K${PROMPT}\u001b[1m${text}\u001b[22m`);
  const begin = {
    atMs,
    data: Buffer.concat([Buffer.from(isFirst ? "" : "\r\n"), shown(""), Buffer.from(CURSOR)]),
  };
  const pieces = Array.from({ length: Math.ceil(command.length / TYPED_CHARS) }, (_, index) => ({
    atMs: atMs + BEFORE_TYPING_MS + index * TYPED_MS,
    data: Buffer.concat([shown(command.slice(0, (index + 1) * TYPED_CHARS)), Buffer.from(CURSOR)]),
  }));
  const entered = (pieces.at(-1)?.atMs ?? atMs) + TYPED_MS;
  return [begin, ...pieces, { atMs: entered, data: Buffer.concat([shown(command), Buffer.from("\r\n")]) }];
}

/** The same bytes in the same order: what came together stays together, and every pause is as long as the others. */
function hurry(chunks: readonly Chunk[], startMs: number): readonly Chunk[] {
  let [at, before] = [startMs, 0];
  return chunks.map(({ atMs, data }) => {
    if (atMs - before >= TOGETHER_MS) at += PAUSE_MS;
    before = atMs;
    return { atMs: at, data };
  });
}
