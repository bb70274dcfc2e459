import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readJoinedIndex } from "../../src/store/index-extensions.ts";
import { type Place, place } from "../support/workplace.ts";

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/many/${at}.ts`, `${at}\n`]));
}

/** A repository whose files are old, so that git leaves their entries in the shared part of the index. */
function splitPlace(files: Record<string, string>): Place {
  const repo = place(files);
  const past = new Date("2020-01-01");
  for (const path of repo.git("ls-files", "-z").split("\0").filter(Boolean))
    utimesSync(join(repo.root, path), past, past);
  repo.git("update-index", "--refresh");
  repo.git("update-index", "--split-index");
  return repo;
}

function joined({ root }: Place): string[] {
  const entries = readJoinedIndex(readFileSync(join(root, ".git/index")), (id) =>
    readFileSync(join(root, `.git/sharedindex.${id}`)),
  );
  return entries.map(({ path, assumeUnchanged }) => `${assumeUnchanged ? "h" : "H"} ${path}`).toSorted();
}

function listed({ git }: Place): string[] {
  return git("ls-files", "-v", "-z").split("\0").filter(Boolean).toSorted();
}

test.each([3, 64, 200])("an index of %i files and more is read as git reads it while it is changed", (count) => {
  const repo = splitPlace(many(count));
  expect(joined(repo)).toEqual(listed(repo));
  repo.git("update-index", "--assume-unchanged", "src/many/1.ts", "src/b.ts");
  expect(joined(repo)).toEqual(listed(repo));
  repo.write("src/many/2.ts", "changed\n");
  repo.write("src/many/new.ts", "new\n");
  repo.git("add", "--all");
  expect(joined(repo)).toEqual(listed(repo));
  repo.git("rm", "--quiet", "--cached", "src/many/0.ts", "README.md");
  expect(joined(repo)).toEqual(listed(repo));
  expect(joined(repo)).toContain("h src/many/1.ts");
});

test("long runs of replaced and deleted entries are read", () => {
  const repo = splitPlace(many(300));
  const names = Array.from({ length: 130 }, (_, at) => `src/many/${at + 100}.ts`);
  repo.git("config", "splitIndex.maxPercentChange", "100");
  repo.git("update-index", "--assume-unchanged", ...names);
  expect(joined(repo)).toEqual(listed(repo));
  repo.git("rm", "-r", "--quiet", "--cached", ...names.slice(0, 100));
  expect(joined(repo)).toEqual(listed(repo));
});

test("a second file that is another one than it is called is an error", () => {
  const repo = splitPlace(many(3));
  const index = readFileSync(join(repo.root, ".git/index"));
  repo.git("update-index", "--no-split-index");
  const other = readFileSync(join(repo.root, ".git/index"));
  expect(() => readJoinedIndex(index, () => other)).toThrow(/shared part .* is another file/);
});

test("an ordinary index needs no second file, and a missing second file is an error", () => {
  const repo = place();
  expect(joined(repo)).toEqual(listed(repo));
  repo.git("update-index", "--split-index");
  const index = readFileSync(join(repo.root, ".git/index"));
  expect(() => readJoinedIndex(index, () => null)).toThrow(/shared part .* is missing/);
});
