/** A scene of the film: a line about it, commands that are typed, and what each of them printed. */
import type { Scene } from "./film.ts";
import type { Chunk } from "./pty-recording.ts";
import { type Piece, type ScreenSize, screenFrames } from "./screen-frames.ts";

interface Played {
  readonly command: string;
  readonly chunks: readonly Chunk[];
  /** How long the end of it is to be looked at before the next one is typed. */
  readonly holdMs: number;
}

const TYPED_CHARS = 3;
const TYPED_MS = 90;
const BEFORE_TYPING_MS = 500;
const AFTER_TYPING_MS = 350;
/** What was printed within this time was seen at once. */
const TOGETHER_MS = 150;
/** Nobody wants to watch others wait, and no two recordings take exactly as long as each other. */
const PAUSE_MS = 500;

const PROMPT = "\u001b[32m$\u001b[39m ";
const CURSOR = "\u001b[7m \u001b[27m";

export async function typedScene(
  { about, lengthMs }: { readonly about: string; readonly lengthMs: number },
  played: readonly Played[],
  size: ScreenSize,
): Promise<Scene> {
  const title = { gapMs: 0, data: Buffer.from(`\u001b[2m# ${about}\u001b[22m\r\n`) };
  const pieces = played.flatMap(({ command, chunks }, index) => {
    const before = played[index - 1];
    const begin = before === undefined ? [] : [{ gapMs: before.holdMs, data: Buffer.from("\r\n") }];
    return [...begin, ...typed(command), ...hurried(chunks)];
  });
  return { frames: await screenFrames([title, ...pieces], size), lengthMs };
}

function shown(text: string, end: string): Buffer {
  return Buffer.from(`\r\u001b[K${PROMPT}\u001b[1m${text}\u001b[22m${end}`);
}

/** A prompt, and the command a few letters at a time, with a cursor behind them. */
function typed(command: string): readonly Piece[] {
  const letters = Array.from({ length: Math.ceil(command.length / TYPED_CHARS) }, (_, index) => ({
    gapMs: index === 0 ? BEFORE_TYPING_MS : TYPED_MS,
    data: shown(command.slice(0, (index + 1) * TYPED_CHARS), CURSOR),
  }));
  return [{ gapMs: 0, data: shown("", CURSOR) }, ...letters, { gapMs: AFTER_TYPING_MS, data: shown(command, "\r\n") }];
}

/** The same bytes in the same order: what came together stays together, and every pause is as long as the others. */
function hurried(chunks: readonly Chunk[]): readonly Piece[] {
  return chunks.map(({ atMs, data }, index) => {
    const waitedMs = atMs - (chunks[index - 1]?.atMs ?? 0);
    return { gapMs: waitedMs < TOGETHER_MS ? 0 : PAUSE_MS, data };
  });
}
