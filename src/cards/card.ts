/** The shape of every card: headline, reason, facts, and the next commands. */
import {
  type Canvas,
  type Fact,
  measureWidth,
  type NextStep,
  renderFacts,
  renderParagraph,
  renderSteps,
  type Sign,
} from "../base/canvas.ts";
import { measureDisplayWidth, wrapText } from "../base/wrap-text.ts";

interface Card extends Sign {
  /** A word in the colour of the mark. */
  readonly word?: string;
  readonly title: string;
  readonly why?: readonly string[];
  readonly facts: readonly Fact[];
  /** One sentence that leads to the commands. */
  readonly advice?: string | null;
  readonly next: readonly NextStep[];
  /** Whether there is one command at most, and it stands beside its label where there is room. */
  readonly isShort?: boolean;
}

export function renderCard(card: Card, canvas: Canvas): string {
  const { why = [] } = card;
  const facts = renderFacts(card.facts, canvas);
  const lines = [
    ...renderHeadline(card, canvas),
    ...why,
    ...(facts.length === 0 ? [] : ["", ...facts]),
    ...renderNext(card, canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function renderNext({ advice = null, next, isShort = false }: Card, canvas: Canvas): readonly string[] {
  if (next.length === 0 && advice === null) return [];
  const [{ command, explains } = { command: "", explains: "" }] = next;
  const isBeside = measureDisplayWidth(`Next: ${command}  ${explains}`) <= measureWidth(canvas);
  if (isShort && advice === null && isBeside)
    return ["", `Next: ${canvas.style("strong", command)}  ${canvas.style("faint", explains)}`];
  return ["", ...renderParagraph(`Next:${advice === null ? "" : ` ${advice}`}`, canvas), ...renderSteps(next, canvas)];
}

function renderHeadline({ mark, tone, word, title }: Card, canvas: Canvas): readonly string[] {
  const { style } = canvas;
  const lead = word === undefined ? mark : `${mark} ${word}`;
  const [first = "", ...further] = wrapText(`${lead} ${title}`.trimEnd(), measureWidth(canvas) - 2);
  // A title that does not fit beside its lead stands below it, with all of its lines further in.
  const beside = first === lead ? "" : ` ${style("strong", first.slice(lead.length + 1))}`;
  return [`${style(tone, lead)}${beside}`, ...further.map((line) => `  ${style("strong", line)}`)];
}
