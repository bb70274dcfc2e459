/** docs/troubleshooting.md: entries that people write, and below them tables of every code, made from the code itself. */
import { CODES, SERIES_ENDS } from "../src/base/codes.ts";
import { AGENT_CAUSES, CAUSE_FAMILIES } from "../src/tick/pure/agent-causes.ts";
import { InvariantError } from "../src/base/errors.ts";
import { writeRows } from "./write-rows.ts";

const MADE = /(<!-- codes -->\n)[^]*?(<!-- \/codes -->)/;

const TITLES = {
  stop: "Stopped: the change was reverted",
  blocked: "Blocked: nothing could start, or nothing more may",
  success: "Kept",
} as const;

/** The page with its tables made anew. */
export function troubleshootingPage(page: string): string {
  if (!MADE.test(page)) throw new InvariantError("the page has no place for the codes");
  return page.replace(MADE, (_, opening: string, closing: string) => `${opening}\n${describeCodes(page)}\n${closing}`);
}

function describeCodes(page: string): string {
  const tables = (["stop", "blocked", "success"] as const).flatMap((verdict) => [
    `### ${TITLES[verdict]}`,
    "",
    writeRows(
      ["code", "exit", "meaning", "what to do"],
      Object.entries(CODES)
        .filter(([, entry]) => entry.verdict === verdict)
        .map(([code, { exit, meaning, remedy }]) => [
          `\`${code}\``,
          String(exit),
          meaning,
          `${remedy}${linkTo(page, code)}`,
        ]),
    ),
    "",
  ]);
  const ends = Object.entries(SERIES_ENDS).map(([end, { exit, meaning }]) => [`\`${end}\``, String(exit), meaning]);
  const causes = listCauses().map(({ names, words: { meaning, remedy } }) => [
    names.map((name) => `\`${name}\``).join(", "),
    `${meaning} ${remedy}`,
  ]);
  return [
    ...tables,
    "### How a series ends",
    "",
    writeRows(["end", "exit", "meaning"], ends),
    "",
    "### Why the session of an agent failed",
    "",
    "The card names this cause after the code. The cause of an orchestrator begins with `orchestrator_`. Where a cause holds a number or",
    "the name of a signal, the table has one example.",
    "",
    writeRows(["cause", "meaning, and what to do"], causes),
    "",
  ].join("\n");
}

/** Causes with the same words together; of a family one name. */
function listCauses() {
  const known = [...Object.entries(AGENT_CAUSES), ...CAUSE_FAMILIES.map(([name, , words]) => [name, words] as const)];
  return [...new Set(known.map(([, words]) => words))].map((words) => ({
    names: known.flatMap(([name, own]) => (own === words ? [name] : [])),
    words,
  }));
}

/** A link to what people wrote about the code, where they did. */
function linkTo(page: string, code: string): string {
  const written = page.split("## Every code")[0] ?? "";
  const section = written.split(/^### /m).find((text) => text.includes(`\`${code}\``));
  if (section === undefined) return "";
  const heading = section.split("\n", 1)[0] ?? "";
  return ` [More](#${anchorOf(heading)}).`;
}

/** The name under which a heading can be linked to, as forges make it. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
