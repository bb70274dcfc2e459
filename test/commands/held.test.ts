/** A change whose only findings are suspicions is held: reverted, in salvage, and a person decides about it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { journalTypes, type TickRepository, tickRepository } from "../support/tick-repository.ts";

const SKIP = 'it.skip("works", () => {});\n';
const TEST = 'it("works", () => {});\n';
const WRITE_SKIP = { do: "write", path: "src/x.test.ts", text: SKIP };
const CHECK = { verification: { templates: [{ id: "green", cmd: "sh", args: ["-c", "! grep -rq BAD src"] }] } };

const open = (more: object = {}): TickRepository =>
  tickRepository({ files: { "src/x.test.ts": TEST }, config: { ...CHECK, ...more } });
const hold = (repository: TickRepository, text = SKIP): Promise<string> =>
  repository.tick([{ do: "write", path: "src/x.test.ts", text }], "STOP_SUSPECT");

/** The same with another task. */
async function runTask(repository: TickRepository, more: object, steps: readonly object[] = [WRITE_SKIP]) {
  const file = join(repository.box, "more.json");
  writeFileSync(file, JSON.stringify({ ...repository.task(steps), ...more }));
  const { status, document } = await repository.ask("run", "--task", file);
  const runId = /"run_id":"(?<id>[^"]+)"/.exec(JSON.stringify(document))?.groups?.["id"] ?? "";
  return { status, document, runId };
}

const env = ({ box }: TickRepository) => ({ HOME: box, XDG_STATE_HOME: join(box, "state") });

test("it is held: the tree is as before, the work waits, and the card quotes the place", async () => {
  const repository = open();
  const runId = await hold(repository);
  expect(repository.git("status", "--porcelain")).toBe("");
  const { status, stdout } = await repository.relais("history", "show", runId);
  expect(status).toBe(0);
  expect(stdout).toContain("Held: src/x.test.ts:1 adds a skipped test: `it.skip");
  expect((await repository.ask("status")).document).toMatchObject({
    waiting: [{ kind: "held", command: `relais accept ${runId}` }],
  });
  expect((await repository.relais("status")).stdout).toContain(`relais accept ${runId}`);
  expect((await repository.relais("history", "replay")).status).toBe(0);
});

test("accept puts it on newer commits with exactly the shown findings lifted, and commits it", async () => {
  const repository = open();
  const runId = await hold(repository);
  repository.commit({ "src/y.ts": "newer\n" });
  const accepted = await repository.ask("accept", runId.slice(-8), "--reason", "flaky upstream");
  expect(accepted).toMatchObject({
    status: 0,
    document: { code: "SUCCESS", held: runId, settle: { action: "commit" } },
  });
  expect(repository.git("show", "HEAD:src/x.test.ts")).toBe(SKIP.trim());
  expect(repository.git("show", "HEAD:src/y.ts")).toBe("newer");
  expect((await repository.ask("status")).document).toMatchObject({ waiting: [] });
  const journal = readFileSync(join(repository.state(), "journal.jsonl"), "utf8");
  expect(journal).toMatch(
    new RegExp(`"landed":{"name":"${runId}","tip":null,"accepted":{"by":"[^"]+ <[^"]+>","reason":"flaky upstream"}}`),
  );
  expect(await repository.ask("accept", runId)).toMatchObject({ status: 10, document: { cause: "decided_already" } });
  expect((await repository.relais("history", "replay")).status).toBe(0);
});

test("a red check on HEAD stops it, and it still waits", async () => {
  const repository = open();
  const { runId } = await runTask(repository, { verification: { fast: ["green"], slow: [] } });
  repository.commit({ "src/y.ts": "BAD\n" });
  expect(await repository.ask("accept", runId)).toMatchObject({ status: 10, document: { verdict: "stop" } });
  expect(repository.git("status", "--porcelain")).toBe("");
  expect((await repository.ask("status")).document).toMatchObject({
    waiting: [{ kind: "held", command: `relais accept ${runId}` }],
  });
});

test("reject says who and why, and it waits no more", async () => {
  const repository = open();
  const runId = await hold(repository);
  expect(await repository.ask("reject", runId, "--reason", "fix the test")).toMatchObject({
    status: 0,
    document: { run_id: runId, decision: "reject", message: "fix the test" },
  });
  expect(journalTypes(repository).at(-1)).toBe("rejected");
  expect((await repository.ask("status")).document).toMatchObject({ waiting: [] });
  expect(await repository.ask("accept", runId)).toMatchObject({ status: 10, document: { cause: "decided_already" } });
  expect((await repository.relais("land", runId)).status).toBe(14);
});

test("an agent decides nothing: accept, reject and land are refused under its marker", async () => {
  const repository = open();
  const runId = await hold(repository);
  for (const marker of ["CLAUDECODE", "CODEX_SANDBOX", "RELAIS_RUN_ID"])
    for (const command of ["accept", "reject", "land"]) {
      const { status, stderr } = await relais([command, runId], {
        cwd: repository.root,
        env: { ...env(repository), [marker]: "1" },
      });
      expect({ status, stderr }).toMatchObject({ status: 10, stderr: expect.stringContaining("is for a person") });
    }
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("evidence beside a suspicion names the code, and so does a red check", async () => {
  const repository = open();
  await repository.tick(
    [WRITE_SKIP, { do: "write", path: "outside", text: "no\n" }],
    "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
  );
  const checks = { verification: { fast: ["green"], slow: [] } };
  expect(
    await runTask(repository, checks, [WRITE_SKIP, { do: "write", path: "src/x.ts", text: "BAD\n" }]),
  ).toMatchObject({
    status: 10,
    document: { code: "STOP_VERIFY_FAILED_FAST" },
  });
});

test("a file that starts programs is held with its content in salvage, and accept keeps it", async () => {
  const repository = tickRepository({ config: CHECK });
  const scope = { allowed_globs: ["**"], forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false };
  const held = await runTask(repository, { scope }, [{ do: "write", path: ".mcp.json", text: "{}\n" }]);
  expect(held).toMatchObject({ status: 14, document: { code: "STOP_SUSPECT", cause: "starts_programs" } });
  const accept = (...options: string[]) => repository.ask("accept", held.runId, ...options);
  // What a person says now counts for the judgement.
  expect(await accept("--no-new-files")).toMatchObject({ document: { code: "STOP_SCOPE_VIOLATION_NEW_FILE" } });
  const outside = { document: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" } };
  expect(await accept("--only", "docs/**")).toMatchObject(outside);
  expect(await accept("--only", "docs/**", "--allow", ".mcp.json")).toMatchObject({ status: 0 });
  expect(repository.git("show", "HEAD:.mcp.json")).toBe("{}");
});
