/** States that people get into, and the command that leads out of each. */
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais as runAsProcess } from "../support/relais.ts";
import { tickRepository } from "../support/tick-repository.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };

test("`recover` writes documents again that are missing", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  const path = join(repository.root, "relais/REPORT.json");
  const before: unknown = JSON.parse(readFileSync(path, "utf8"));
  for (const name of ["REPORT.json", "TASK.json", "STATE.json"]) rmSync(join(repository.root, "relais", name));
  expect((await repository.relais("recover")).status).toBe(0);
  expect(before).toMatchObject({ code: "SUCCESS" });
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ code: "SUCCESS" });
  for (const name of ["TASK.json", "STATE.json"]) expect(existsSync(join(repository.root, "relais", name))).toBe(true);
});

test("a folder in the place of a document is kept elsewhere by `recover`, and ticks go on", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  expect((await repository.relais("accept")).status).toBe(0);
  const path = join(repository.root, "relais/REPORT.json");
  rmSync(path);
  mkdirSync(path);
  writeFileSync(join(path, "mine.txt"), "mine\n");
  expect((await repository.ask("status", "--preflight")).document).toMatchObject({
    preflight: { code: "BLOCKED_CRASH_RECOVERY_REQUIRED", cause: "damaged_documents" },
  });
  expect((await repository.relais("recover")).status).toBe(0);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ code: "SUCCESS" });
  expect((await repository.ask("status", "--preflight")).document).toMatchObject({
    preflight: { would_start: true },
  });
  expect(existsSync(join(repository.state(), "aside"))).toBe(true);
});

test("a history that trips the cap can be cleared by the command that is named", async () => {
  const repository = tickRepository({ config: { history: { max_mb: 1 } } });
  const old = await repository.tick([]);
  writeFileSync(join(repository.root, "relais/history", old, "extra.log"), Buffer.alloc(2 * 1024 * 1024));
  const [held, large] = [await repository.ask("status", "--preflight"), "BLOCKED_HISTORY_CAP_CLEANUP_REQUIRED"];
  expect(held.document).toMatchObject({ preflight: { would_start: false, code: large } });
  const explained = (await repository.relais("explain", large)).stdout;
  expect(explained).toContain("relais history prune");
  expect((await repository.relais("history", "prune")).status).toBe(0);
  expect((await repository.ask("status", "--preflight")).document).toMatchObject({ preflight: { would_start: true } });
});

test.runIf(process.getuid?.() === 0)("after a run as root, the person is told how to take it back", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  for (const place of [repository.box, repository.root]) chmodSync(place, 0o755);
  const home = join(repository.box, "home");
  const elsewhere = { HOME: home, XDG_STATE_HOME: join(home, "state") };
  mkdirSync(home);
  chownSync(home, 65_534, 65_534);
  const same = { HOME: home, XDG_STATE_HOME: join(repository.box, "state") };
  for (const env of [elsewhere, same])
    for (const command of ["accept", "recover", "status"]) {
      const { status, stdout, stderr } = await runAsProcess([command], { cwd: repository.root, env, uid: 65_534 });
      const words = (stdout + stderr).replaceAll(/\s+/gu, " ");
      expect([command, status, words]).toEqual([command, 11, expect.stringContaining("chown -R")]);
    }
});

test("packages that git does not ignore: the remedy is .gitignore, not a stash", async () => {
  const repository = tickRepository();
  mkdirSync(join(repository.root, "node_modules/a"), { recursive: true });
  writeFileSync(join(repository.root, "node_modules/a/index.js"), "");
  const { stdout } = await repository.relais("status", "--preflight");
  expect(stdout).toContain("Git does not ignore node_modules/ (1 file).");
  expect(stdout).toContain("echo node_modules/ >> .gitignore");
  expect(stdout).not.toContain("git stash");
  writeFileSync(join(repository.root, ".gitignore"), "node_modules/\n");
  repository.git("add", ".gitignore");
  repository.git("commit", "-qm", "ignore");
  expect((await repository.ask("status", "--preflight")).document).toMatchObject({ preflight: { would_start: true } });
});
