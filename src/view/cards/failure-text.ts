import { CODES, type Code } from "../../contract/values/codes.ts";
import { neutralise } from "../text/neutralise.ts";
import type { Style } from "../text/style.ts";

interface Failure {
  /** The code of the outcome; null for a mistake in the command line. */
  readonly code: Code | null;
  readonly message: string;
  readonly problems: readonly string[];
  /** What to do next; the remedy of the code where it is left out. */
  readonly next?: string;
}

/** A failed command: the message, one line for each problem, and the next step. */
export function renderFailure({ code, message, problems, next }: Failure, style: Style): string {
  const word = style("bad", code === null ? "relais" : CODES[code].verdict);
  const name = code === null ? "" : ` ${style("strong", code)}`;
  const [first, ...more] = message.split("\n").map(neutralise);
  const lines = [
    `${word}${name}: ${first ?? ""}`,
    ...more.map((line) => `  ${line}`),
    ...problems.map((problem) => `  - ${neutralise(problem)}`),
    ...(next === undefined ? (code === null ? [] : [`Next: ${CODES[code].remedy}`]) : [next]),
  ];
  return `${lines.join("\n")}\n`;
}
