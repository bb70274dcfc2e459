import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tickRepository } from "../support/tick-repository.ts";

const OUTSIDE = "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED";
const STEPS = [
  { do: "write", path: "src/x.ts", text: "new\u001b[31m\n" },
  { do: "write", path: "README", text: "outside\n" },
];

test("work that was put back is listed, shown and brought back", async () => {
  const repository = tickRepository();
  expect(await repository.relais("salvage")).toMatchObject({
    status: 0,
    stdout: "Nothing saved: no tick was reverted.\n",
  });
  expect(await repository.ask("salvage", "show")).toMatchObject({
    status: 10,
    document: { cause: "nothing_there" },
  });
  const older = await repository.tick([{ do: "write", path: "LICENSE", text: "x\n" }], OUTSIDE);
  const runId = await repository.tick(STEPS, OUTSIDE);
  const list = await repository.relais("salvage");
  expect(list.stdout.split("\n")).toEqual([
    expect.stringMatching(new RegExp(`${runId} {2}2 files {2}${OUTSIDE}$`)),
    expect.stringMatching(new RegExp(`${older} {2}1 file {2}${OUTSIDE}$`)),
    "",
  ]);
  expect((await repository.ask("salvage", "list")).document).toMatchObject({
    salvage: [
      { run_id: runId, code: OUTSIDE, files: 2, left_out: 0 },
      { run_id: older, files: 1 },
    ],
  });
  const shown = await repository.relais("salvage", "show");
  expect(shown.stdout).toMatch(new RegExp(`^ {2}salvage {4}${runId}\n`));
  expect(shown.stdout).toContain("\n+new\\u{1b}[31m\n");
  expect((await repository.ask("salvage", "show", older.slice(-8))).document).toMatchObject({
    run_id: older,
    files: [{ path: "LICENSE" }],
    patch: expect.stringContaining("+x\n"),
  });
  expect(await repository.ask("salvage", "apply", runId)).toMatchObject({
    status: 0,
    document: { run_id: runId, paths: expect.arrayContaining(["src/x.ts", "README"]), left_out: 0 },
  });
  expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("new\u001b[31m\n");
  expect(repository.git("status", "--porcelain")).toBe("M src/x.ts\n?? README");
});

test("work whose paths have moved on is not applied, and the patch is named", async () => {
  const repository = tickRepository();
  await repository.tick(STEPS, OUTSIDE);
  repository.put({ "src/x.ts": "mine\n" });
  const { status, stderr } = await repository.relais("salvage", "apply");
  expect(status).toBe(10);
  expect(stderr).toMatch(
    /\n {2}- src\/x\.ts\nNext: Commit your edits, then merge: git apply --3way \/.*\/changes\.patch\n$/,
  );
  expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("mine\n");
  expect(existsSync(join(repository.root, "README"))).toBe(false);
});

test("a damaged salvage is listed as such and not applied", async () => {
  const repository = tickRepository();
  const runId = await repository.tick(STEPS, OUTSIDE);
  writeFileSync(join(repository.state(), "salvage", runId, "meta.json"), "{}");
  const list = await repository.relais("salvage");
  expect(list.status).toBe(0);
  expect(list.stderr).toMatch(new RegExp(`^relais: ${runId} is damaged: `));
  for (const action of ["show", "apply"])
    expect(await repository.ask("salvage", action)).toMatchObject({
      status: 10,
      document: { cause: "salvage_damaged", run_id: runId },
    });
});

test.each([
  [["salvage", "aply"], 'there is no "aply" here; did you mean "apply"?', "salvage"],
  [["salvage", "list", "x"], 'relais salvage list takes no text here: "x"', "salvage list"],
  [["salvage", "show", "nosuch"], 'there is no tick "nosuch"', "salvage show"],
  [["salvage", "show", "a", "b"], 'relais salvage show takes no text here: "b"', "salvage show"],
])("%j is refused in one sentence", async (args, message, path) => {
  const { status, stdout, stderr } = await tickRepository().relais(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(`relais: ${message}\nSee \`relais ${path} --help\`.\n`);
});
