import { describe, expect, test } from "vitest";
import { parseTyped } from "../support/typed-command.ts";
import { CODES } from "../../src/base/codes.ts";
import { renderSeriesCard } from "../../src/cards/series-card.ts";
import { colouredStyle, plainStyle } from "../../src/base/style.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { ENDS, summaryOf } from "../support/summaries.ts";

const RUN_BY = ["loop", "tree", "goal", "campaign big-one"];
const at = (columns: number) => ({ style: plainStyle, columns });

/** What is to be typed, with the lines of a long command joined as a shell joins them. */
function commandsOf(card: string): readonly string[] {
  const after = card.slice(card.indexOf("\nNext:")).replaceAll(/ \\\n +/g, " ");
  return after
    .split("\n")
    .flatMap((line) => /^ {2}(?<command>(?:relais|git) .*?)(?: {2}|$)/.exec(line)?.groups?.["command"] ?? []);
}

test("every end of a loop has a card of its own", () => {
  const cards = ENDS.map((end) => `=== ${end}${renderSeriesCard(summaryOf(end), at(96))}`);
  expect(cards.join("\n")).toMatchSnapshot();
});

test("the ends of a tree, where green is not yet passed", () => {
  const tree = (["complete", "max_ticks", "stuck", "interrupted"] as const).map(
    (end) => `=== ${end}${renderSeriesCard(summaryOf(end, "tree"), at(72))}`,
  );
  expect(tree.join("\n")).toMatchSnapshot();
});

describe.for(RUN_BY)("a series of `relais %s`", (command) => {
  test.for(ENDS)("that ends with %s fits everywhere, and says what can be typed", (end) => {
    for (const columns of [50, 64, 80, 120]) {
      const card = renderSeriesCard(summaryOf(end, command), at(columns));
      expect(card.split("\n").filter((line) => measureDisplayWidth(line) > columns)).toEqual([]);
      expect(card).not.toContain("\u001b");
      const commands = commandsOf(card);
      expect(commands.length).toBeGreaterThanOrEqual(1);
      expect(commands.length).toBeLessThanOrEqual(3);
      expect(new Set(commands).size).toBe(commands.length);
      for (const line of commands) expect(line).toSatisfy(isKnown);
    }
  });
});

/** A command of ours with options that it has, or one of git. */
function isKnown(line: string): boolean {
  const [program, name, ...rest] = line.split(" ");
  if (program === "git") return true;
  const found = parseTyped(line.split(" ").slice(1));
  const code = name === "explain" ? (rest[0] ?? "") : "SUCCESS";
  return found?.kind === "found" && code in CODES;
}

test("an autonomous loop is gone on with as it was begun", () => {
  const card = renderSeriesCard({ ...summaryOf("interrupted"), mode: "autonomous" }, at(100));
  expect(commandsOf(card)).toEqual([
    "relais loop --mode autonomous",
    "relais loop --mode autonomous --new",
    "git log --oneline bbbbbbbbbbbb^..",
  ]);
});

test("a campaign is gone on with by its name, and cannot be begun beside itself", () => {
  const commands = commandsOf(renderSeriesCard(summaryOf("interrupted", "campaign big-one"), at(100)));
  expect(commands[0]).toBe("relais campaign run big-one");
  expect(commands.join()).not.toContain("--new");
});

/** Every sequence begins with an escape and ends with the next m. */
const uncoloured = (text: string) =>
  text
    .split("\u001b[")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("m") + 1)))
    .join("");

test("colour adds nothing but colour", () => {
  for (const end of ENDS) {
    const card = renderSeriesCard(summaryOf(end), { style: colouredStyle, columns: 80 });
    expect(uncoloured(card)).toBe(renderSeriesCard(summaryOf(end), at(80)));
  }
});

test("a task that could not land has no question to be answered", () => {
  const summary = { ...summaryOf("needs_human"), reason: "could_not_land", question: null };
  const card = renderSeriesCard(summary, at(96));
  expect(card).toMatch(/Waiting for you: a task could not land\./);
  expect(commandsOf(card)).toEqual(["relais salvage", "relais loop", "relais history show"]);
});
