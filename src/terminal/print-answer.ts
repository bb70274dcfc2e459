import { neutralise } from "../base/style.ts";
import type { CommandEnd, Session } from "./command.ts";

interface Answer {
  /** The one document of `--json`. */
  readonly document: object;
  readonly text: () => string | Uint8Array;
  readonly status?: number;
  /** What could not be written; the decision stands. */
  readonly problems?: readonly string[];
  /** Whether `--quiet` prints it too; a failure is always printed. */
  readonly isAsked?: boolean;
}

/** Prints what a command answers, for people or as JSON. */
export function printAnswer(answer: Answer, session: Session): CommandEnd {
  const { document, text, status = 0, problems = [], isAsked = false } = answer;
  if (session.json) session.out(`${JSON.stringify(document)}\n`);
  else if (isAsked || session.detail !== "quiet" || status !== 0) session.out(text());
  printUnpublished(problems, session);
  return { kind: "ended", status };
}

/** The named fields as a document names them: `runId` is `run_id`. */
export function makeDocument<T extends object>(answer: T, names: readonly (keyof T & string)[]): object {
  return Object.fromEntries(names.map((name) => [writeSnakeCase(name), answer[name]]));
}

function writeSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Prints which files could not be written. */
export function printUnpublished(problems: readonly string[], { err }: Session): void {
  for (const problem of problems) err(`relais: not written: ${neutralise(problem)}\n`);
}
