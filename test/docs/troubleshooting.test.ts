import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CODES } from "../../src/base/codes.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { troubleshootingPage } from "../../scripts/troubleshooting-page.ts";

const PAGE = readFileSync("docs/troubleshooting.md", "utf8");
const [WRITTEN = "", MADE = ""] = PAGE.split("## Every code");

test("every code has one row, with its exit status, what it means and what to do", () => {
  const rows = MADE.split("\n").filter((line) => /^\| `(?:SUCCESS|STOP_|BLOCKED_)/.test(line));
  expect(rows).toHaveLength(Object.keys(CODES).length);
  for (const [code, { exit, meaning, remedy }] of Object.entries(CODES))
    expect(rows.filter((row) => row.startsWith(`| \`${code}\` | ${exit} | ${meaning} | ${remedy}`))).toHaveLength(1);
});

test("the ten things that people meet first each name a code, which links back to them", () => {
  const sections = WRITTEN.split(/^### /m).slice(1);
  expect(sections).toHaveLength(10);
  for (const section of sections) expect(section).toMatch(/`(?:STOP|BLOCKED)_[A-Z_]+`/);
  expect(MADE.match(/\[More\]/g)?.length).toBeGreaterThanOrEqual(10);
  const blocks = [...WRITTEN.matchAll(/```json\n(.*?)```/gs)].map((match) => match[1] ?? "");
  expect(blocks).toHaveLength(2);
  for (const block of blocks) expect(parseConfig(JSON.parse(block))).toMatchObject({ kind: "valid" });
});

test("what people wrote stays, what was made is made anew, and a page without a place for it is refused", () => {
  const page =
    "# T\n\n### Slow\n\nYou see `STOP_TICK_TIMEOUT`.\n\n## Every code\n\n<!-- codes -->\nSTALE\n<!-- /codes -->\n\nend\n";
  const made = troubleshootingPage(page);
  expect(made).toMatch(/^# T\n\n### Slow\n/);
  expect(made).toMatch(/\nend\n$/);
  expect(made).not.toContain("STALE");
  expect(made).toMatch(/^\| `STOP_TICK_TIMEOUT` \| 10 \| .* \[More\]\(#slow\)\. \|$/m);
  expect(troubleshootingPage(made)).toBe(made);
  expect(() => troubleshootingPage("# T\n")).toThrow("no place");
});
