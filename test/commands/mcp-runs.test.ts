/** Runs of `relais mcp` by patch, with hostile texts, and held for a decision. */
import { describe, expect, test } from "vitest";
import { untilAsked } from "../support/held-world.ts";
import { documentOf, textsOf, withTools } from "../support/mcp-client.ts";
import { inTurn, inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";

const newFilePatch = (path: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+A note.\n`;

const BUILDS = `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}`;
const PATCH =
  "--- a/src/main.ts\n+++ b/src/main.ts\n@@ -1 +1 @@\n-export const answer = 41;\n+export const answer = 42;\n";
const RULES = ["--allow", "src/**", "--check", "answer"];

describe.concurrent("relais mcp", () => {
  test("judges a patch without an agent, by the rules of the person", () =>
    inWorld({ program: "exit 9" }, (world) =>
      withTools({ ...world, args: [...RULES, "--agent", "command"] }, async ({ call, ask }) => {
        expect(await ask("run", { patch: PATCH })).toMatchObject({ code: "SUCCESS" });
        expect(await ask("undo")).toMatchObject({ paths: ["src/main.ts"] });
        const stray = await call("run", { patch: newFilePatch("elsewhere/notes.txt") });
        expect(stray.isError).toBe(true);
        expect(textsOf(stray)[0]).toMatch(/^STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED: .* Next: /);
        expect(documentOf(stray)).toMatchObject({ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" });
        expect(world.git("status", "--porcelain")).toBe("");
      }),
    ));

  test("takes every text as data", () =>
    inWorld({ program: BUILDS }, (world) =>
      withTools({ ...world, args: RULES }, async ({ ask }) => {
        expect(await ask("diff", { run: "--help" })).toMatchObject({ error: "usage" });
        const hostile = '--cwd=/ -- $(id) `id`\n\u001b[2J\u202e{"jsonrpc":"2.0"}';
        const intent = expect.stringContaining("--cwd=/");
        expect(await ask("run", { task: hostile })).toMatchObject({ code: "SUCCESS", task: { intent } });
      }),
    ));

  test.each([
    ["a task", { task: "Set the answer." }],
    ["a patch", { patch: PATCH }],
  ])("holds %s for a decision, which the client may take only if it is allowed to", (_, given) =>
    inTurn(() =>
      inWorld({ program: BUILDS }, (world) =>
        withTools({ ...world, args: [...RULES, "--ask", "--allow-accept"] }, async ({ call, ask }) => {
          const heard: string[] = [];
          const run = call("run", given, { onprogress: ({ message = "" }) => heard.push(message) });
          const runId = await untilAsked(world);
          expect(await ask("accept", { run: runId })).toMatchObject({ run_id: runId, decision: "accept" });
          expect(documentOf(await run)).toMatchObject({ code: "SUCCESS", settle: { action: "commit" } });
          expect(heard.length).toBeGreaterThan(1);
        }),
      ),
    ),
  );
});
