import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nameBranchRef } from "../../src/store/branches.ts";
import { readHeadText } from "../../src/git/head-files.ts";
import { readHead } from "../../src/git/head.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { place } from "../support/workplace.ts";

/** White space to Unicode and to JavaScript, and part of a name to git. */
const WIDE = ["\u00a0", "\u2003", "\u2028", "\u3000", "\ufeff"];

test.each(WIDE)("a branch whose name has %j in it and at its end is read as git reads it", async (space) => {
  const { root, git } = place();
  const branch = `a${space}b${space}`;
  git("switch", "--quiet", "--create", branch);
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error("the fixture is no repository");
  const { text, commit } = await readHead(repository);
  expect(commit).toBe(git("rev-parse", "HEAD").trim());
  expect(nameBranchRef(text)).toBe(git("symbolic-ref", "HEAD").replace(/\n$/, ""));
  writeFileSync(join(root, ".git/HEAD"), `ref: refs/heads/${branch} \t\r\n\n`);
  expect(await readHead(repository)).toEqual({ text, commit });
});

test("only what git takes for white space is cut off", () => {
  expect(readHeadText("\n\t ref: x \v\f\r\n")).toBe("ref: x");
  expect(readHeadText(" \n")).toBe("");
  expect(nameBranchRef("ref: refs/heads/a b")).toBe(null);
});
