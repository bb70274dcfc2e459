import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tickRepository } from "../support/tick-repository.ts";

test("a setup runs before held-out checks, and a failure of either is named", async () => {
  const held = { id: "hidden", cmd: "sh", args: ["held.sh"], files: { "held.sh": "../held.sh" } };
  const setup = [{ cmd: "sh", args: ["build.sh"] }];
  const build = "test ! -e held.sh && grep -q good src/x.ts || { echo cannot build; exit 4; }; mkdir dist\n";
  const config = { sandbox: "off", verification: { setup, held_out: [held] } };
  const repo = tickRepository({ files: { "build.sh": build }, config });
  writeFileSync(join(repo.box, "held.sh"), "test -d dist && echo the secret; exit 7\n");
  const run = async (text: string): Promise<unknown> => {
    writeFileSync(join(repo.box, "task.json"), JSON.stringify(repo.task([{ do: "write", path: "src/x.ts", text }])));
    return (await repo.ask("run", "--task", join(repo.box, "task.json"))).document;
  };
  expect(await run("bad\n")).toMatchObject({
    code: "STOP_VERIFY_FAILED_FAST",
    cause: "setup_failed",
    verification: { runs: [{ template_id: "setup", exit_code: 4, last_lines: ["cannot build"] }] },
  });
  expect(await run("good\n")).toMatchObject({
    code: "STOP_VERIFY_FAILED_SLOW",
    cause: "held_out_red",
    verification: { runs: [{ template_id: "hidden", exit_code: 1, last_lines: ["the secret"] }] },
  });
  expect(readFileSync(join(repo.root, "relais/ledger.jsonl"), "utf8")).not.toContain("the secret");
  expect(["dist", "held.sh"].filter((name) => existsSync(join(repo.root, name)))).toEqual([]);
});
