/** The tutorial of docs/tree.md, typed as it stands there. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf, typeCommands } from "../support/page-commands.ts";
import { useExecutable } from "../support/relais.ts";

useExecutable();

const BLOCKS = blocksOf("tree.md");

test("every command of the tutorial works, and the goal is reached", () => {
  const { said, cwd, env } = typeCommands(BLOCKS, "place");
  expect(BLOCKS).toHaveLength(4);
  expect(said).toContain("relais/tree.json is valid: 1 node.");
  expect(said).toContain("3 of 3 nodes pass. The root passes.");
  const log = execFileSync("git", ["log", "--format=%s", "--reverse"], {
    cwd: join(cwd, "hello"),
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
