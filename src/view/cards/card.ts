/** The shape of every card: headline, reason, facts, and the next commands. */
import { type Canvas, type NextStep, renderParagraph, renderSteps, type Tone, measureWidth } from "../text/canvas.ts";
import { wrapText } from "../text/wrap-text.ts";

interface Card {
  readonly mark: string;
  readonly tone: Tone;
  /** A word in the colour of the mark; null for none. */
  readonly word: string | null;
  readonly title: string;
  readonly why: readonly string[];
  readonly facts: readonly string[];
  /** One sentence that leads to the commands. */
  readonly advice: string | null;
  readonly next: readonly NextStep[];
}

export function renderCard(card: Card, canvas: Canvas): string {
  const { why, facts, advice, next } = card;
  const lines = [
    ...headline(card, canvas),
    ...why,
    ...(facts.length === 0 ? [] : ["", ...facts]),
    ...(next.length === 0 && advice === null
      ? []
      : ["", ...renderParagraph(`Next:${advice === null ? "" : ` ${advice}`}`, canvas), ...renderSteps(next, canvas)]),
  ];
  return `${lines.join("\n")}\n`;
}

function headline({ mark, tone, word, title }: Card, canvas: Canvas): readonly string[] {
  const { style } = canvas;
  const lead = word === null ? mark : `${mark} ${word}`;
  const [first = "", ...further] = wrapText(`${lead} ${title}`, measureWidth(canvas) - 2);
  // A title that does not fit beside its lead stands below it, with all of its lines further in.
  const beside = first === lead ? "" : ` ${style("strong", first.slice(lead.length + 1))}`;
  return [`${style(tone, lead)}${beside}`, ...further.map((line) => `  ${style("strong", line)}`)];
}
