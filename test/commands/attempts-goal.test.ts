import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attemptWorld, listLeft } from "../support/attempt-world.ts";

/** Each attempt takes two turns, and writes as many lines in each as its number; the third is never done. */
const SCRIPT = `
answer() { printf '%s' "$1" > "$RELAIS_RESULT_PATH"; }
if [ "$RELAIS_ROLE" = builder ]; then
  i=$n; while [ "$i" -gt 0 ]; do echo "more of $n" >> src/x.ts; i=$((i - 1)); done
  answer '{"receipt":"Wrote some."}'; exit 0
fi
if [ "$n" != 3 ] && [ "$(grep -c more src/x.ts)" = "$((2 * n))" ]; then
  answer '{"decision":"complete","evidence":["file: src/x.ts"],"gaps":[],"blocker":null,"blocker_id":null,"confidence_score":0.9,"explanation":"Looked."}'
else
  answer '{"decision":"continue","evidence":[],"gaps":["more"],"blocker":null,"blocker_id":null,"confidence_score":0.9,"explanation":"Looked."}'
fi`;

test("the commits of the best goal land here, and the others are branches", async () => {
  const repository = attemptWorld(SCRIPT, { goal: { reviewers: ["risk"], review_quorum: 1 } });
  const head = repository.git("rev-parse", "HEAD");
  const { status, document } = await repository.ask("goal", "write more lines", "--max-turns", "2", "--attempts", "3");
  expect({ status, document }).toMatchObject({
    status: 0,
    document: {
      code: "SUCCESS",
      attempts: {
        chosen: 1,
        rule: "lines",
        list: [
          { number: 1, verdict: "success", lines: 2, votes: { approved: 1, total: 1 }, builder_calls: 2 },
          { number: 2, verdict: "success", lines: 4 },
          { number: 3, verdict: "stop" },
        ],
      },
      budgets: { builder_calls: 6, reviewer_calls: 6 },
    },
  });
  expect(repository.git("log", "--format=%s", `${head}..HEAD`).split("\n")).toHaveLength(2);
  expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("old\nmore of 1\nmore of 1\n");
  expect(repository.git("status", "--porcelain")).toBe("");
  const branches = repository.git("branch", "--format=%(refname:short)", "--list", "relais/*").split("\n");
  expect(branches).toEqual([expect.stringMatching(/-2$/), expect.stringMatching(/-3$/)]);
  expect(listLeft(repository)).toEqual([]);
}, 60_000);
