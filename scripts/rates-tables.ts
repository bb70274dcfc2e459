/** The tables of docs/checks.md and docs/judge.md that say how often the rules meet honest work, as the lab measured it. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { InvariantError } from "../src/base/errors.ts";
import { KINDS } from "../src/judge/pure/kinds.ts";

const Group = v.looseObject({
  name: v.string(),
  of: v.number(),
  evidence: v.number(),
  held: v.number(),
  protected: v.number(),
  interrupted: v.number(),
});

const StrangersMeasured = v.looseObject({
  sampled: v.looseObject({ projects: v.array(v.string()) }),
  of: v.number(),
  ofLarge: v.number(),
  groups: v.array(Group),
  kinds: v.record(v.string(), v.looseObject({ met: v.number(), heldAlone: v.number() })),
});

/** What `npm run test:strangers` kept. */
export function readStrangersMeasured(): v.InferOutput<typeof StrangersMeasured> {
  return v.parse(StrangersMeasured, JSON.parse(readFileSync("lab/strangers/measured.json", "utf8")));
}

const LEVELS = {
  stop: "stops",
  hold: "held",
  unusual: "held where unusual",
  note: "note",
} as const;

/** The kinds, what comes of each, and how much work of strangers meets it. */
export function checksPage(page: string): string {
  const { of, kinds } = readStrangersMeasured();
  const rows = Object.entries(KINDS).map(([kind, { rule, words, default: level }]) => {
    const { met = 0, heldAlone = 0 } = kinds[kind] ?? {};
    const alone = level === "hold" || level === "unusual" ? writeRate(heldAlone, of) : "";
    return [`\`${kind}\``, words, `\`${rule}\``, LEVELS[level], writeRate(met, of), alone];
  });
  return fill(page, "kinds", drawTable(["kind", "what", "rule", "default", "met", "held by it alone"], rows));
}

/** What comes of strangers' work, of all and of the large changes, and of labelled changes. */
export function judgePage(page: string): string {
  const { groups } = readStrangersMeasured();
  const rows = groups.map(({ name, of, evidence, held, protected: ofPaths, interrupted }) => [
    name,
    String(of),
    ...[evidence, held, ofPaths, interrupted].map((count) => writeRate(count, of)),
  ]);
  const heads = ["merged changes", "of", "refused", "held", "protected path alone", "not judged"];
  return fill(fill(page, "rates", drawTable(heads, rows)), "labelled", drawLabelled());
}

const Ends = v.object({ cases: v.number(), kept: v.number(), held: v.number(), refused: v.number() });
const JudgementMeasured = v.array(v.looseObject({ date: v.string(), policy: v.string(), bad: Ends, good: Ends }));

/** What comes of labelled changes, by who decides. */
function drawLabelled(): string {
  const measured = v.parse(JudgementMeasured, JSON.parse(readFileSync("lab/judgement/measured.json", "utf8")));
  const rows = measured.map(({ date, policy, bad, good }) => [
    policy,
    `${bad.kept} of ${bad.cases}`,
    String(bad.held),
    `${good.refused} of ${good.cases}`,
    String(good.held),
    date,
  ]);
  return drawTable(["who decides", "bad kept", "bad held", "good refused", "good held", "measured"], rows);
}

function writeRate(changes: number, of: number): string {
  return changes === 0 ? "0" : `${((100 * changes) / of).toFixed(2)} %`;
}

function fill(page: string, mark: string, table: string): string {
  const made = new RegExp(`(<!-- ${mark}: .* -->\n)[^]*?(<!-- /${mark} -->)`, "u");
  if (!made.test(page)) throw new InvariantError(`the page has no place for the table of ${mark}`);
  return page.replace(made, (_, opening: string, closing: string) => `${opening}\n${table}\n\n${closing}`);
}

/** As the formatter wants it. */
function drawTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const draw = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [draw(head), draw(widths.map((width) => "-".repeat(width))), ...rows.map(draw)].join("\n");
}
