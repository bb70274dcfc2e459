import { expect, test } from "vitest";
import { makeBranch, openRepository, text } from "../support/side-branch.ts";

test("the commits of a branch land on top of HEAD, judged and checked there, and can be undone", async () => {
  const repository = openRepository();
  const { git, commit } = repository;
  makeBranch(repository, "side", [{ "src/a.txt": text({ 6: "SEVEN" }) }, { "src/y.ts": "Y\n" }]);
  git("config", "user.name", "Somebody Else");
  const head = commit({ "src/a.txt": text({ 0: "ONE" }) });
  const { status, document } = await repository.ask("land", "side");
  expect({ status, document }).toMatchObject({
    status: 0,
    document: { landings: [{ name: "side", outcome: "landed", report: { code: "SUCCESS" } }] },
  });
  expect(git("show", "HEAD:src/a.txt")).toBe(text({ 0: "ONE", 6: "SEVEN" }).trim());
  expect(git("status", "--porcelain")).toBe("");
  const landed = git("log", "--format=%s|%an|%(trailers:key=Relais-Landed,valueonly,separator=)", `${head}..HEAD`);
  expect(landed.split("\n")).toHaveLength(2);
  expect(landed).toMatch(/^a commit\|(?!Somebody).*\|\d{8}T\d{6}Z-[0-9a-f]{8}$/m);
  expect((await repository.relais("land", "side")).stderr).toMatch(/Everything of side is in HEAD already/);
  expect((await repository.relais("undo")).status).toBe(0);
  expect(git("rev-parse", "HEAD")).toBe(head);
  expect(git("status", "--porcelain")).toBe("");
});

test("a conflict names both sides and changes nothing; the next name lands", async () => {
  const repository = openRepository();
  makeBranch(repository, "clash", [{ "src/a.txt": text({ 0: "UNO" }) }]);
  makeBranch(repository, "fine", [{ "src/y.ts": "Y\n" }]);
  repository.commit({ "src/a.txt": text({ 0: "ONE" }) });
  const { status, document } = await repository.ask("land", "clash", "fine");
  expect({ status, document }).toMatchObject({
    status: 10,
    document: {
      landings: [
        { outcome: "conflict", report: null, conflict: { paths: ["src/a.txt"], text: expect.stringContaining("UNO") } },
        { outcome: "landed", conflict: null },
      ],
    },
  });
  const again = await repository.relais("land", "clash", "-v");
  expect(again.stderr).toMatch(/clash conflicts with what is here now/);
  expect(again.stderr).toMatch(/<<<<<<< here\nONE\n=======\nUNO\n>>>>>>> the change/);
  expect(repository.git("status", "--porcelain")).toBe("");
});
