import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attemptWorld, listLeft } from "../support/attempt-world.ts";

test("the best of three attempts is kept, and the others wait in salvage until one lands", async () => {
  const repository = attemptWorld(
    'case $n in 1) printf "a\\nb\\nc\\n" > src/x.ts;; 2) echo two > src/x.ts;; 3) echo bad > src/x.ts;; esac',
  );
  const { status, document } = await repository.ask("run", "make it new", "--attempts", "3");
  expect({ status, document }).toMatchObject({
    status: 0,
    document: {
      code: "SUCCESS",
      attempts: {
        chosen: 2,
        rule: "lines",
        list: [
          { number: 1, verdict: "success", lines: 4, salvaged: true, checks: { passed: 1, total: 1 } },
          { number: 2, verdict: "success", lines: 2, salvaged: false },
          { number: 3, code: "STOP_VERIFY_FAILED_SLOW", salvaged: true, checks: { passed: 0, total: 1 } },
        ],
      },
      budgets: { builder_calls: 3 },
    },
  });
  expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("two\n");
  expect(listLeft(repository)).toEqual([]);
  expect((await repository.relais("history", "show")).stdout).toMatch(/attempts +3, 2 is kept: the smaller change/);
  await repository.relais("undo");
  const saved = JSON.stringify((await repository.ask("salvage")).document);
  const first = /"run_id":"(?<id>[^"]+)","kept_at":"[^"]+","code":"SUCCESS"/.exec(saved)?.groups?.["id"] ?? "";
  expect(await repository.ask("land", first)).toMatchObject({ status: 0 });
  expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("a\nb\nc\n");
});
