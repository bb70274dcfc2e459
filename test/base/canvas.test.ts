import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { renderSteps } from "../../src/base/canvas.ts";
import { plainStyle } from "../../src/base/style.ts";

const printedBy = (script: string): string => spawnSync("sh", ["-c", script], { encoding: "utf8" }).stdout;

test.each([
  ["words", "printf '<%s>\\n' one two three four five six seven eight nine ten"],
  ["a quoted sentence", `printf '<%s>\\n' --message "chore: set up relais" 'it'\\''s a long way to go' -- here`],
  ["a word that is longer than a line", `printf '<%s>\\n' ${"src/deep/".repeat(8)}file.ts "$((6 * 7)) $HOME"`],
])("a command of %s does the same when it is copied from a narrow terminal", (_, command) => {
  const lines = renderSteps([{ command, explains: "" }], { style: plainStyle, columns: 40 });
  expect(lines.length).toBeGreaterThan(2);
  expect(printedBy(lines.join("\n"))).toBe(printedBy(command));
});
