/** The commands of docs/campaign.md, done exactly as they are written there. */
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

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/campaign.md"), "utf8");
const [, COMMANDS = ""] = /```sh\n(.*?)```/s.exec(PAGE) ?? [];

test("the campaign of the page fails once, is fixed, and is complete", () => {
  const box = realpathSync(mkdtempSync(join(tmpdir(), "relais-campaign-docs-")));
  onTestFinished(() => rmSync(box, { recursive: true, force: true }));
  for (const folder of ["bin", "greeting"]) mkdirSync(join(box, folder));
  writeFileSync(join(box, "bin/relais"), `#!/bin/sh\nexec "${process.execPath}" "${executable}" "$@"\n`);
  chmodSync(join(box, "bin/relais"), 0o755);
  const said = execFileSync("sh", ["-e", "-c", COMMANDS], {
    cwd: join(box, "greeting"),
    encoding: "utf8",
    env: {
      ...gitEnvironment(box),
      PATH: `${join(box, "bin")}:${process.env["PATH"] ?? ""}`,
      XDG_STATE_HOME: join(box, "state"),
    },
  });
  expect(readFileSync(join(box, "greeting/greeting.txt"), "utf8")).toBe("Good morning\n");
  expect(said).toMatch(/STOP_REVIEW_REFUSED[^]*The campaign is complete\.[^]*2 of 6/);
  expect(said).toMatch(/verdict on `US-001`: `fail` \[leader-measured\]/);
  expect(said.trim().split("\n").slice(-3)).toEqual([
    expect.stringContaining("US-001: The greeting"),
    expect.stringContaining("US-001: The greeting"),
    expect.stringMatching(/a sample$/),
  ]);
});
