/** The commands of docs/goal.md, done exactly as they are written there. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { executable, useExecutable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";

useExecutable();

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/goal.md"), "utf8");
const [, COMMANDS = ""] = /```sh\n(.*?)```/s.exec(PAGE) ?? [];

test("the goal of the page is reached in its second turn, and handed over as one commit", () => {
  const box = realpathSync(mkdtempSync(join(tmpdir(), "relais-goal-docs-")));
  onTestFinished(() => rmSync(box, { recursive: true, force: true }));
  for (const folder of ["bin", "shop"]) mkdirSync(join(box, folder));
  writeFileSync(join(box, "bin/relais"), `#!/bin/sh\nexec "${process.execPath}" "${executable}" "$@"\n`);
  chmodSync(join(box, "bin/relais"), 0o755);
  const said = execFileSync("sh", ["-e", "-c", COMMANDS], {
    cwd: join(box, "shop"),
    encoding: "utf8",
    env: {
      ...gitEnvironment(box),
      PATH: `${join(box, "bin")}:${process.env["PATH"] ?? ""}`,
      XDG_STATE_HOME: join(box, "state"),
    },
  });
  expect(readFileSync(join(box, "shop/greetings.txt"), "utf8")).toBe("Good morning\nGood morning\n");
  expect(said).toMatch(/STOP_REVIEW_REFUSED[^]*The goal is reached\.[^]*2 of 4/);
  expect(said).toMatch(/## Final status\n\n`complete`/);
  expect(said.trim().split("\n").slice(-3)).toEqual([
    expect.stringMatching(/^[0-9a-f]+ greetings\.txt has two greetings$/),
    expect.any(String),
    expect.stringMatching(/a sample$/),
  ]);
});
