/** States that people get into, and the command that leads out of each. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
