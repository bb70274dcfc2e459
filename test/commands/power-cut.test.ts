/** After a power cut: what was not synced is empty or gone, and the next command makes up for it. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tickRepository } from "../support/tick-repository.ts";

/** As if the machine had been started since: the log names another boot. */
function startAgain(state: string): void {
  const log = join(state, "redo.log");
  writeFileSync(log, readFileSync(log, "latin1").replace(/^relais-redo-1 \S+/, "relais-redo-1 another-boot"), "latin1");
}

test("an accepted change can be undone, and its history is whole, though nothing but the logs was on the disk", async () => {
  const repo = tickRepository({ config: { isolation: "in_place", sandbox: "off" } });
  const runId = await repo.tick([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  const history = join(repo.root, "relais/history", runId);
  const report = readFileSync(join(repo.root, "relais/REPORT.json"), "utf8");
  const lost = [
    ...readdirSync(history).map((name) => join(history, name)),
    join(repo.root, "relais/REPORT.json"),
    join(repo.root, "relais/STATE.json"),
    join(repo.root, "relais/ledger.jsonl"),
    join(repo.state(), "accepted", runId, "meta.json"),
    join(repo.state(), "runs", runId, "evidence.json"),
  ];
  for (const path of lost) truncateSync(path);
  for (const name of readdirSync(join(repo.state(), "judge.git/objects")))
    if (name.length === 2) rmSync(join(repo.state(), "judge.git/objects", name), { recursive: true });
  startAgain(repo.state());
  expect(await repo.relais("undo")).toMatchObject({ status: 0 });
  expect(readFileSync(join(repo.root, "src/x.ts"), "utf8")).toBe("old\n");
  expect(readFileSync(join(repo.root, "relais/REPORT.json"), "utf8")).toBe(report);
  expect((await repo.relais("history", "replay", runId)).status).toBe(0);
  await repo.tick([{ do: "write", path: "src/x.ts", text: "newer\n" }]);
});

test("an empty lock that is younger than the last start of the machine blocks, because somebody may hold it", async () => {
  const repo = tickRepository({ config: { isolation: "in_place", sandbox: "off" } });
  await repo.tick([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  expect(await repo.relais("undo")).toMatchObject({ status: 0 });
  for (const lock of [join(repo.state(), "lock.json"), join(repo.root, "relais/lock.json")]) writeFileSync(lock, "");
  expect((await repo.relais("run", "--task", join(repo.box, "task.json"))).status).not.toBe(0);
});
