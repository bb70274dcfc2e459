/** docs/troubleshooting.md: entries that people write, and below them one for every code, made from the table. */
import { CODES, SERIES_ENDS } from "../src/base/codes.ts";
import { AGENT_CAUSES, CAUSE_FAMILIES } from "../src/tick/pure/agent-causes.ts";
import { InvariantError } from "../src/base/errors.ts";

const MADE = /(<!-- codes -->\n)[^]*?(<!-- \/codes -->)/;

const TITLES = {
  success: "Kept",
  stop: "Stopped: the repository is as it was, unless a workflow keeps red steps",
  blocked: "Blocked: nothing could start, or nothing more may",
} as const;

/** The page with its entries for codes made anew. */
export function troubleshootingPage(page: string): string {
  if (!MADE.test(page)) throw new InvariantError("the page has no place for the codes");
  return page.replace(MADE, (_, opening: string, closing: string) => `${opening}\n${entries(page)}\n${closing}`);
}

function entries(page: string): string {
  const verdicts = (["stop", "blocked", "success"] as const).flatMap((verdict) => [
    `### ${TITLES[verdict]}`,
    "",
    ...Object.entries(CODES)
      .filter(([, entry]) => entry.verdict === verdict)
      .flatMap(([code, { meaning, remedy, exit }]) => [
        `#### ${code}`,
        "",
        `${meaning} Exit status ${exit}.${writtenAbout(page, code)}`,
        "",
        `**What to do:** ${remedy}`,
        "",
      ]),
  ]);
  const ends = Object.entries(SERIES_ENDS).map(
    ([end, { meaning, exit }]) => `- \`${end}\`: ${meaning} Exit status ${exit}.`,
  );
  const causes = listCauses().map(
    ({ names, words: { meaning, remedy } }) =>
      `- ${names.map((name) => `\`${name}\``).join(", ")}: ${meaning} ${remedy}`,
  );
  return [
    ...verdicts,
    "### Why a session of an agent failed",
    "",
    "The cause stands behind the code, for an orchestrator with `orchestrator_` before it. Of numbers and signals this lists one:",
    "",
    ...causes,
    "",
    "### How a series ends",
    "",
    ...ends,
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
function writtenAbout(page: string, code: string): string {
  const written = page.split("## Every code")[0] ?? "";
  const section = written.split(/^### /m).find((text) => text.includes(`\`${code}\``));
  if (section === undefined) return "";
  const heading = section.split("\n", 1)[0] ?? "";
  return ` See [${heading.charAt(0).toLowerCase()}${heading.slice(1)}](#${anchorOf(heading)}).`;
}

/** The name under which a heading can be linked to, as forges make it. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
