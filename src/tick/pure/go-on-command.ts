/** The command that starts a series although these checks fail before it, so that the work may fix them. */
import { writeShellWord } from "../../base/process-text.ts";
import type { SeriesOptions } from "../../records/series.ts";

/** Longer ones are typed again: nobody finds the end of them on a card. */
const WORDS_CHARS_MAX = 300;

/** The work of a job is submitted again. */
export function writeGoOnCommand(series: SeriesOptions, fixes: readonly string[], isJob: boolean): string {
  const words = [...(isJob ? ["submit"] : []), ...listWords(series, isJob), ...fixes.flatMap((id) => ["--fixes", id])];
  return ["relais", ...words.map(writeShellWord)].join(" ");
}

function listWords({ command, goal }: SeriesOptions, isJob: boolean): readonly string[] {
  if (goal !== undefined) return ["goal", isShown(goal.objective) ? goal.objective : "..."];
  const [name = "", ...slug] = command.split(" ");
  return [name, ...(isJob || name === "loop" ? [] : ["run"]), ...slug];
}

const isShown = (text: string): boolean => text.length <= WORDS_CHARS_MAX && !/[\p{Cc}]/u.test(text);
