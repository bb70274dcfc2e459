/** Files that git tracks and has not checked out: to write one is to change it, although nothing was there to be seen. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";

const PATH = "src/far/z.ts";
const TEXT = "one\ntwo\nthree\n";
const WAYS: readonly (readonly [string, (repository: TickRepository) => void])[] = [
  [
    "skip-worktree",
    ({ git, root }) => {
      git("update-index", "--skip-worktree", PATH, "src/far/other.ts");
      rmSync(join(root, "src/far"), { recursive: true });
    },
  ],
  ["a sparse checkout", ({ git }) => git("sparse-checkout", "set", "--no-cone", "/*", "!/src/far/")],
  ["a sparse index", ({ git }) => git("sparse-checkout", "set", "--sparse-index", "relais", "src/near")],
];

function open(hide: (repository: TickRepository) => void, objectFormat: "sha1" | "sha256" = "sha1"): TickRepository {
  const files = { [PATH]: TEXT, "src/far/other.ts": "o\n", "src/near/n.ts": "n\n" };
  const repository = tickRepository({ files, config: { verification: { templates: [] } }, objectFormat });
  hide(repository);
  expect(existsSync(join(repository.root, PATH))).toBe(false);
  expect(repository.git("status", "--porcelain")).toBe("");
  return repository;
}

const edit = (text: string) => [{ do: "write", path: PATH, text }];

const FORMATS = ["sha1", "sha256"] as const;

test.each(
  // The other hash is the same for all of them, but for whole folders.
  WAYS.flatMap(([name, hide]) =>
    FORMATS.slice(0, name === "skip-worktree" ? 1 : 2).map((format) => [name, format, hide] as const),
  ),
)("a file outside %s is changed and not new (%s)", async (_name, format, hide) => {
  const repository = open(hide, format);
  const run = await repository.tick(edit("one\nTWO\nthree\n"));
  expect((await repository.ask("history", "show", run)).document).toMatchObject({
    report: {
      blast_radius: { files_touched: 1, lines_added: 1, lines_deleted: 1, new_files: 0 },
      scope: { touched_paths: [PATH] },
    },
  });
  expect((await repository.relais("history", "diff", run)).stdout).toContain(" one\n-two\n+TWO\n three\n");
  expect(await repository.relais("undo")).toMatchObject({ status: 0 });
  expect(existsSync(join(repository.root, PATH))).toBe(false);
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("a commit holds the change, and taking it back leaves what was committed before", async () => {
  const repository = open(WAYS[1]?.[1] ?? (() => {}));
  await repository.tick(edit("one\nTWO\nthree\n"));
  expect(await repository.relais("accept")).toMatchObject({ status: 0 });
  expect(repository.git("show", "--format=", "--numstat", "HEAD")).toBe(`1\t1\t${PATH}`);
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(await repository.relais("undo")).toMatchObject({ status: 0 });
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(readFileSync(join(repository.root, PATH), "utf8")).toBe(TEXT);
});

test("work that was put back can be brought back, though its place is empty", async () => {
  const repository = open(WAYS[0]?.[1] ?? (() => {}));
  const long = Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join("");
  await repository.tick(edit(long), "STOP_DIFF_TOO_LARGE");
  expect(existsSync(join(repository.root, "src/far"))).toBe(false);
  expect(await repository.relais("salvage", "apply")).toMatchObject({ status: 0 });
  expect(readFileSync(join(repository.root, PATH), "utf8")).toBe(long);
});

test.each(WAYS)("a patch to a file outside %s says that it is not checked out and what to do", async (_name, hide) => {
  const repository = open(hide);
  const patch = join(repository.box, "change.patch");
  const lines = ["@@ -1,3 +1,3 @@", " one", "-two", "+TWO", " three", ""];
  writeFileSync(patch, [`--- a/${PATH}`, `+++ b/${PATH}`, ...lines].join("\n"));
  expect(await repository.ask("run", "--patch", patch)).toMatchObject({
    document: {
      code: "STOP_PATCH_APPLY_FAILED",
      cause: "not_checked_out",
      message: expect.stringMatching(/src\/far\/z\.ts is tracked but not checked out.*sparse-checkout/),
    },
  });
  expect(existsSync(join(repository.root, PATH))).toBe(false);
});

test("content that is nowhere to be had makes the file a new one", async () => {
  const repository = open(WAYS[0]?.[1] ?? (() => {}));
  const id = repository.git("rev-parse", `HEAD:${PATH}`);
  rmSync(join(repository.root, ".git/objects", id.slice(0, 2), id.slice(2)));
  const run = await repository.tick(edit("one\n"));
  expect((await repository.ask("history", "show", run)).document).toMatchObject({
    report: { blast_radius: { lines_added: 1, lines_deleted: 0, new_files: 1 } },
  });
});
