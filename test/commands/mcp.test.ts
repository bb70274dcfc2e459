/** `relais mcp`, with the client of the protocol's own SDK. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeFailedCall, openProgress } from "../../src/commands/mcp-command.ts";
import { documentOf, textsOf, withTools } from "../support/mcp-client.ts";
import { executable } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const BUILDS = `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}`;
const TASK = { task: "Set the answer to 42." };
const RULES = ["--allow", "src/**", "--check", "answer"];

describe.concurrent("relais mcp", () => {
  test.each([undefined, "2026-07-28"])("lists its tools with revision %s", async (revision) => {
    const { root } = scratchRepository({ "a.txt": "1\n" });
    const place = { root, environment: process.env, ...(revision === undefined ? {} : { revision }) };
    await withTools(place, async ({ client, call }) => {
      expect(client.getServerVersion()).toMatchObject({ name: "relais" });
      expect(client.getInstructions()).toContain("judged");
      const { tools } = await client.listTools();
      const hints = tools.map(({ name, annotations: { readOnlyHint, destructiveHint } = {} }) => [
        name,
        readOnlyHint,
        destructiveHint,
      ]);
      expect(hints).toEqual([
        ["run", false, true],
        ["status", true, undefined],
        ["diff", true, undefined],
        ["undo", false, true],
      ]);
      for (const { inputSchema, outputSchema, description = "" } of tools) {
        expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
        expect(outputSchema).toMatchObject({ type: "object" });
        expect(description.length).toBeGreaterThan(80);
      }
      await expect(call("accept")).rejects.toThrow("accept");
    });
  });

  // It takes a moment, so that there is progress to be heard.
  test("runs a task, shows it and commits it, with the documents of the commands", () =>
    inWorld({ program: `sleep 2\n${BUILDS}` }, (world) =>
      withTools({ ...world, args: [...RULES, "--allow-accept"] }, async ({ client, call, ask }) => {
        const heard: string[] = [];
        const result = await call("run", TASK, { onprogress: ({ message = "" }) => heard.push(message) });
        const report = documentOf(result);
        expect(report).toMatchObject({ verdict: "success", code: "SUCCESS", settle: { action: "accept" } });
        expect(result.isError ?? false).toBe(false);
        expect(textsOf(result)).toEqual([JSON.stringify(report)]);
        expect(heard[0]).toBe("started");
        expect(heard.join("\n")).toMatch(/^\w+: /m);
        expect(await ask("diff")).toEqual(JSON.parse((await world.relais(["diff", "--json"])).stdout));
        expect((await client.listTools()).tools.map(({ name }) => name)).toContain("accept");
        expect(await ask("accept")).toMatchObject({ commit: world.git("rev-parse", "HEAD"), files: 1 });
        expect(await ask("status")).toMatchObject({ last_tick: { run_id: report["run_id"], code: "SUCCESS" } });
      }),
    ));

  test("refuses an argument that names another place or a rule", () =>
    withTools({ root: scratchFolder(), environment: process.env }, async ({ call, ask }) => {
      const wrong: readonly (readonly [string, object])[] = [
        ["run", { ...TASK, cwd: "/" }],
        ["run", { ...TASK, allow: ["**"] }],
        ["run", { task: 7 }],
        ["run", { ...TASK, fixes: ["a b"] }],
        ["diff", { run: "../x" }],
        ["status", { cwd: "/" }],
      ];
      for (const [name, given] of wrong) {
        const { isError, ...refused } = await call(name, given);
        const said = expect.stringContaining("Invalid arguments");
        expect([name, given, isError, textsOf(refused)]).toEqual([name, given, true, [said]]);
      }
      for (const given of [{}, { ...TASK, patch: "" }])
        expect(await ask("run", given)).toMatchObject({ error: "usage", remedy: expect.any(String) });
      expect(await ask("status")).toMatchObject({ verdict: "blocked", remedy: expect.any(String) });
    }));
});

test("progress is reported at once, and then the newest line after a moment", async () => {
  const sent: [number, string][] = [];
  const last = new Promise<void>((resolve) => {
    const progress = openProgress((count, message) => {
      sent.push([count, message]);
      if (message !== "line 99") return;
      progress.close();
      resolve();
    });
    for (let line = 0; line < 100; line += 1) progress.onLine(`12:00:00 line ${line}`);
  });
  await last;
  expect(sent).toEqual([
    [1, "started"],
    [2, "line 99"],
  ]);
});

test("its code and the SDK are one part", () => {
  const parts = readdirSync(join(dirname(executable), "parts")).filter((name) => /mcp.*cjs$/.test(name));
  expect(parts).toEqual(["mcp-command.cjs"]);
});

test.each([
  [{ error: "usage", message: "No.", problems: [] }, "usage: No."],
  [{ code: null, cause: "nothing_there", message: "Nothing.", remedy: "Wait." }, "nothing_there: Nothing. Next: Wait."],
  [{ code: "BLOCKED_LOCK_HELD", cause: null, message: "a\u001b[2Jb", remedy: "Wait." }, "a\\u{1b}[2Jb"],
  [{ code: "STOP_VERIFY_FAILED_FAST", cause: "install_failed", message: null }, "Next: Fix the lockfile"],
  [{ code: "FORGED", message: 7 }, "failed: the answer says why."],
])("a failed call is one line with its remedy: %j", (document, words) => {
  expect(describeFailedCall(document)).toContain(words);
});
