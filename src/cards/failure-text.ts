import { CODES, type Code } from "../base/codes.ts";
import { type Canvas, renderHeaded, renderIndented, renderParagraph } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";

interface Failure {
  /** The code of the outcome; null for a mistake in the command line. */
  readonly code: Code | null;
  readonly message: string;
  readonly problems: readonly string[];
  /** What to do next; the remedy of the code where it is left out. */
  readonly next?: string;
}

/** A failed command: the message, one line for each problem, and the next step. */
export function renderFailure({ code, message, problems, next }: Failure, canvas: Canvas): string {
  const { style } = canvas;
  const [head, dressed] =
    code === null
      ? ["relais:", `${style("bad", "relais")}:`]
      : [`${CODES[code].verdict} ${code}:`, `${style("bad", CODES[code].verdict)} ${style("strong", code)}:`];
  const [first = "", ...more] = message.split("\n").map(neutralise);
  const remedy = code === null ? "" : `Next: ${CODES[code].remedy}`;
  const lines = [
    ...renderHeaded({ head, dressed, text: first }, canvas),
    ...more.flatMap((line) => renderIndented(line, 2, canvas)),
    ...problems.flatMap((problem) => renderIndented(`- ${neutralise(problem)}`, 2, canvas)),
    ...renderParagraph(next ?? remedy, canvas).filter((line) => line !== ""),
  ];
  return `${lines.join("\n")}\n`;
}
