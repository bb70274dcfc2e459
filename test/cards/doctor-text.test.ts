import { expect, test } from "vitest";
import { fail, ok, warn } from "../../src/checks/pure/config-text.ts";
import { renderDoctor } from "../../src/cards/init-text.ts";
import { plainStyle } from "../../src/base/style.ts";

const CHECKS = [
  ok("git", "git version 2.39.5"),
  fail("config", { message: "It is not valid.", problems: ["a \u001b[31mred key"], fix: "Mend it." }),
  warn("tmux", { message: "Not installed.", fix: "Install it." }),
];
const text = (checks: typeof CHECKS, isQuiet = false) =>
  renderDoctor(checks, { style: plainStyle, columns: 100, isQuiet });

test("each line has its status, and what is not in order has its fix below", () => {
  expect(text(CHECKS)).toBe(
    [
      "ok    git     git version 2.39.5",
      "fail  config  It is not valid.",
      String.raw`              - a \u{1b}[31mred key`,
      "              Fix: Mend it.",
      "warn  tmux    Not installed.",
      "              Fix: Install it.",
      "",
      "1 problem, 1 warning.",
      "",
    ].join("\n"),
  );
});

test("quiet is silent about what is in order", () => {
  expect(text(CHECKS, true)).not.toContain("git");
  expect(text(CHECKS.slice(0, 1), true)).toBe("");
  expect(text(CHECKS.slice(0, 1))).toBe("ok    git  git version 2.39.5\n\nReady.\n");
});
