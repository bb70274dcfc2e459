import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CODES } from "../../src/base/codes.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { troubleshootingPage } from "../../scripts/troubleshooting-page.ts";

const PAGE = readFileSync("docs/troubleshooting.md", "utf8");

test("every code has one entry, with what it means and what to do", () => {
  const entries = PAGE.split(/^#### /m).slice(1);
  expect(entries.map((entry) => entry.split("\n", 1).join("")).toSorted()).toEqual(Object.keys(CODES).toSorted());
  for (const [code, { meaning, remedy }] of Object.entries(CODES)) {
    const entry = entries.find((text) => text.startsWith(`${code}\n`));
    expect(entry).toContain(meaning);
    expect(entry).toContain(`**What to do:** ${remedy}`);
  }
});

test("the ten things that people meet first each name a code, which links back to them", () => {
  const [written = "", made = ""] = PAGE.split("## Every code");
  const sections = written.split(/^### /m).slice(1);
  expect(sections).toHaveLength(10);
  for (const section of sections) expect(section).toMatch(/`(?:STOP|BLOCKED)_[A-Z_]+`/);
  expect(made.match(/See \[/g)?.length).toBeGreaterThanOrEqual(10);
  const blocks = [...written.matchAll(/```json\n(.*?)```/gs)].map((match) => match[1] ?? "");
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
  expect(made).toContain("Exit status 10. See [slow](#slow).");
  expect(troubleshootingPage(made)).toBe(made);
  expect(() => troubleshootingPage("# T\n")).toThrow("no place");
});
