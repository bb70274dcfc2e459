import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBranch, openRepository, text } from "../support/side-branch.ts";
import type { TickRepository } from "../support/tick-repository.ts";

test("what passes alone and fails on top of what landed before is reverted", async () => {
  const repository = openRepository();
  makeBranch(repository, "bad", [{ "src/a.txt": text({ 6: "bad" }) }]);
  const head = repository.commit({ "src/a.txt": text({ 0: "ONE" }) });
  const { status, stdout } = await repository.relais("land", "bad");
  expect({ status, stdout }).toMatchObject({ status: 10, stdout: expect.stringMatching(/Reverted: apart failed/) });
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("the rules of the configuration count, and a person may widen them", async () => {
  const repository = openRepository();
  makeBranch(repository, "side", [{ "src/new.ts": "new\n" }]);
  expect(await repository.ask("land", "side")).toMatchObject({
    status: 10,
    document: { landings: [{ outcome: "stopped", report: { code: "STOP_SCOPE_VIOLATION_NEW_FILE" } }] },
  });
  expect(await repository.ask("land", "side", "--new-files", "--only", "docs/**")).toMatchObject({
    document: { landings: [{ report: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" } }] },
  });
  expect(await repository.ask("land", "side", "--new-files")).toMatchObject({ status: 0 });
});

test("saved work lands on newer commits as its tick would have kept it", async () => {
  const repository = openRepository();
  const run = await repository.tick(
    [
      { do: "write", path: "src/a.txt", text: text({ 6: "SEVEN" }) },
      { do: "write", path: "outside.txt", text: "no\n" },
    ],
    "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
  );
  repository.commit({ "src/a.txt": text({ 0: "ONE" }) });
  // The task is that of the tick, with its scope.
  expect(await repository.ask("land", run)).toMatchObject({
    document: { landings: [{ report: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", task: { task_id: "T-1" } } }] },
  });
  const failed = await repository.ask("run", "--patch", patch(repository, text({ 0: "ONE", 6: "bad" })));
  expect(failed).toMatchObject({ document: { code: "STOP_VERIFY_FAILED_SLOW" } });
  repository.commit({ "src/a.txt": text({ 3: "FOUR" }) });
  const saved = await repository.ask("salvage");
  const newest = /"run_id":"(?<id>[^"]+)"/.exec(JSON.stringify(saved.document))?.groups?.["id"] ?? "";
  expect(await repository.ask("land", newest.slice(-8))).toMatchObject({ status: 0 });
  expect(repository.git("diff", "--stat")).toMatch(/src\/a\.txt/);
  expect(readFileSync(join(repository.root, "src/a.txt"), "utf8")).toBe(text({ 3: "FOUR", 6: "bad" }));
  expect(repository.git("show", "HEAD:src/a.txt")).toBe(text({ 3: "FOUR" }).trim());
});

/** A patch that gives the file this content. */
function patch({ box, root, git }: TickRepository, content: string): string {
  writeFileSync(join(root, "src/a.txt"), content);
  const file = join(box, "change.patch");
  writeFileSync(file, `${git("diff")}\n`);
  git("checkout", "--quiet", "src/a.txt");
  return file;
}

test("uncommitted edits, and unknown names are refused before anything is done", async () => {
  const repository = openRepository();
  makeBranch(repository, "side", [{ "src/y.ts": "Y\n" }]);
  writeFileSync(join(repository.root, "src/a.txt"), "edited\n");
  const { status, stderr } = await repository.relais("land", "side");
  expect({ status, stderr }).toMatchObject({ status: 10, stderr: expect.stringMatching(/not committed/) });
  expect(stderr).toMatch(/src\/a\.txt/);
  expect(await repository.relais("land", "nothing-like-this")).toMatchObject({ status: 2 });
  expect(await repository.relais("land")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/Nothing waits.*relais queue/),
  });
  expect(repository.git("status", "--porcelain")).toBe("M src/a.txt");
});

test("the commits land on the branch that the person is on, protected or not", async () => {
  const repository = openRepository({ branch: "main" });
  makeBranch(repository, "side", [{ "src/y.ts": "Y\n" }]);
  const head = repository.git("rev-parse", "HEAD");
  expect(await repository.ask("land", "side")).toMatchObject({ status: 0 });
  expect(repository.git("rev-parse", "main^")).toBe(head);
  expect(repository.git("branch", "--show-current")).toBe("main");
});

test("a repository with SHA-256 and one with converted line endings", async () => {
  const repository = openRepository({ objectFormat: "sha256" });
  repository.commit({ ".gitattributes": "*.txt text eol=crlf\n" });
  repository.git("rm", "--quiet", "--cached", "-r", ".");
  repository.git("reset", "--quiet", "--hard");
  makeBranch(repository, "side", [{ "src/a.txt": text({ 6: "SEVEN" }).replaceAll("\n", "\r\n") }]);
  repository.commit({ "src/y.ts": "Y\n" });
  expect(await repository.ask("land", "side")).toMatchObject({ status: 0 });
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(repository.git("cat-file", "blob", "HEAD:src/a.txt")).toBe(text({ 6: "SEVEN" }).trim());
});
