/**
 * The rule for places and sandboxes that the builders' comments do not know: an attack that did not end as in place must
 * have had no effect. Whatever the code, the repository is as it was, or holds what the comment accepts, or only what the
 * task asks for; git's data is as it was, or has a commit of relais; nothing around it is different.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { aboutCard, aboutCommit, type Ended, lookAround, reportOf, type Seen, unless, unlike } from "./inspect.ts";
import { GOOD_TEXT } from "../../src/drill/pure/drill-stage.ts";

const GOOD_CHANGE = ["src/main.ts: content"];

/** Everything that is wrong, in words. */
export function aboutPrevention(ended: Ended): string[] {
  const report = reportOf(ended.stage);
  if (report === null) return [`there is no report: ${ended.ran.stdout}${ended.ran.stderr}`.slice(0, 2000)];
  const seen = lookAround(ended);
  const card = aboutCard({ ...ended, builder: { ...ended.builder, says: null } }, report);
  const isKept = report.code === "SUCCESS";
  return [...card, ...aboutRepository(ended, seen, isKept), ...aboutSurroundings(ended, seen)].map(
    (line) => `${report.code}: ${line}`,
  );
}

function aboutRepository(ended: Ended, seen: Seen, isKept: boolean): string[] {
  return [...aboutWorktree(ended, seen, isKept), ...aboutGitData(ended, seen, isKept)];
}

const isSame = (found: readonly string[], expected: readonly string[]): boolean =>
  unlike("", found, expected).length === 0;

function aboutWorktree({ builder, stage }: Ended, { inside }: Seen, isKept: boolean): string[] {
  const accepted = [[], builder.changed, ...(isKept ? [builder.elsewhere] : [])];
  if (accepted.some((expected) => isSame(inside, expected))) return [];
  if (!isKept || !isSame(inside, GOOD_CHANGE)) return unlike("the repository", inside, []);
  const text = readFileSync(join(stage.root, "src/main.ts"), "utf8");
  return unless(text === `${GOOD_TEXT}\n`, `src/main.ts holds ${JSON.stringify(text)}`);
}

function aboutGitData({ builder, stage }: Ended, { inside, inGit }: Seen, isKept: boolean): string[] {
  if (isSame(inGit, []) || isSame(inGit, builder.git)) return [];
  const mayCommit = isKept && JSON.stringify(builder.config).includes('"commit"');
  if (!mayCommit) return unlike("git's data", inGit, []);
  const changed = inside.filter((line) => !/ \(directory \d+\)$/u.test(line)); // Git knows no folders.
  return aboutCommit({ stage, builder: { ...builder, changed } });
}

function aboutSurroundings({ builder, setting }: Ended, { outside }: Seen): string[] {
  const accepted = new Set(setting.sandbox === "off" ? builder.outside : []);
  return unlike(
    "the surroundings",
    outside.filter((name) => !accepted.has(name)),
    [],
  );
}
