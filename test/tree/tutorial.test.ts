/** The tutorial of docs/tree.md, typed as it stands there. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { executable, useExecutable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

useExecutable();

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/tree.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] ?? "");

test("every command of the tutorial works, and the goal is reached", () => {
  const box = scratchFolder();
  const bin = join(box, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "relais"), `#!/bin/sh\nexec "${process.execPath}" "${executable}" "$@"\n`);
  chmodSync(join(bin, "relais"), 0o755);
  const environment = gitEnvironment(box);
  const path = `${bin}:${join(process.execPath, "..")}:${environment["PATH"]}`;
  const env = { ...environment, PATH: path, XDG_STATE_HOME: join(box, "state") };
  const said = execFileSync("sh", ["-e", "-c", BLOCKS.join("\n")], { cwd: box, env, encoding: "utf8" });
  expect(BLOCKS).toHaveLength(4);
  expect(said).toContain("relais/tree.json is valid: 1 node.");
  expect(said).toContain("3 of 3 nodes pass. The root passes.");
  const log = execFileSync("git", ["log", "--format=%s", "--reverse"], {
    cwd: join(box, "hello"),
    env,
    encoding: "utf8",
  });
  expect(
    log
      .replaceAll(/run \S+ /g, "")
      .trimEnd()
      .split("\n"),
  ).toEqual([
    "feat: begin",
    "chore(loop): iter 0001 node root decompose guard=skipped",
    "chore(loop): iter 0002 node greet execute guard=fail",
    "chore(loop): iter 0003 node greet execute guard=pass",
    "chore(loop): iter 0004 node part execute guard=pass",
  ]);
});
