import { neutralise } from "./style.ts";

interface EndedProcess {
  readonly argv: readonly string[];
  readonly durationMs: number;
  readonly end: string;
}

/** A prompt may be an argument; its beginning tells which one. */
const WORD_CHARS_MAX = 200;

/** One line about a process that relais has started: its time, its end, and what would be typed in a shell. */
export function renderProcess({ argv, durationMs, end }: EndedProcess): string {
  const line = `${Math.round(durationMs)} ms, ${neutralise(end)}: ${argv.map(writeArgument).join(" ")}`;
  return `relais: ${line}\n`;
}

function writeArgument(word: string): string {
  const short = word.length > WORD_CHARS_MAX ? `${word.slice(0, WORD_CHARS_MAX)}...` : word;
  return writeShellWord(neutralise(short));
}

/** A word as a shell takes it literally; quoted only where that is needed. */
export function writeShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word);
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
