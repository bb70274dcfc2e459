import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { executeTask } from "../support/tasks.ts";
import { tickRepository } from "../support/tick-repository.ts";

interface StandIn {
  /** What it prints: the name of a recording of the real program. */
  readonly recording: string;
  readonly does?: string;
  readonly status?: number;
}

/** A repository whose builder is a program that does something and prints what the real one once printed. */
function withClaude({ recording, does = ":", status = 0 }: StandIn) {
  const command = "../claude";
  const builder = { default_mode: "claude_code" };
  const verification = { templates: [] };
  const repository = tickRepository({ config: { claude_code_cli: { command }, builder, verification } });
  const { box } = repository;
  const printed = join(import.meta.dirname, `../fixtures/claude/${recording}.jsonl`);
  writeFileSync(
    join(box, "claude"),
    `#!/bin/sh\nfor arg; do printf '%s\\0' "$arg"; done > "$0.args"\n${does}\ncat '${printed}'\nexit ${status}\n`,
  );
  chmodSync(join(box, "claude"), 0o755);
  const task = { ...executeTask, verification: { fast: [], slow: [] } };
  writeFileSync(join(box, "task.json"), JSON.stringify(task));
  const run = (...options: string[]) => repository.relais("run", "--task", join(box, "task.json"), ...options);
  return { ...repository, run };
}

function reportOf(root: string): unknown {
  return JSON.parse(readFileSync(join(root, "relais/REPORT.json"), "utf8"));
}

test("a tick built by Claude Code tells what it does, what it cost and what it was denied", async () => {
  const { run, root, box } = withClaude({ recording: "build", does: "echo new > src/x.ts" });
  const { status, stderr } = await run("--verbose");
  expect(status).toBe(0);
  expect(stderr).toMatch(/^\S+ builder: says: I look first\.\n\S+ builder: Read src\/x\.ts\n/m);
  expect(stderr).toContain("builder: was denied Write other/no.ts\n");
  expect(reportOf(root)).toMatchObject({
    code: "SUCCESS",
    builder_output_valid: true,
    notes: ["Write was denied: other/no.ts", "the builder says: x is 2"],
    usage: [{ role: "builder", driver: "claude_code", input_tokens: 480, cost_usd: 0.0054 }],
  });
  const args = readFileSync(join(box, "claude.args"), "utf8").split("\0");
  const settings: unknown = JSON.parse(args[args.indexOf("--settings") + 1] ?? "");
  expect(settings).toMatchObject({
    permissions: {
      allow: expect.arrayContaining(["Bash", `Edit(/${root}/src/**)`]),
      deny: expect.arrayContaining([`Edit(/${root}/**/.env*)`, `Edit(/${root}/relais/STATE.json)`]),
    },
  });
  // The drop folder is its own, so nothing that covers it is denied.
  expect(JSON.stringify(settings)).not.toContain("/relais/**)");
});

test.each(["--json", "--quiet"])("a program that asks for %s is not told what happens meanwhile", async (option) => {
  const { run } = withClaude({ recording: "build", does: "echo new > src/x.ts" });
  expect(await run(option)).toMatchObject({ status: 0, stderr: "" });
});

test("without a terminal the steps are told in lines with the time, and little of what the agent does", async () => {
  const { run } = withClaude({ recording: "build", does: "echo new > src/x.ts" });
  const { status, stdout, stderr } = await run();
  expect({ status, lines: stderr.replaceAll(/^\d\d:\d\d:\d\d /gm, "").split("\n") }).toEqual({
    status: 0,
    lines: [
      "plan: Starting (relay)",
      "plan: Set x to 2.",
      "build: claude_code started",
      "builder: says: I look first.",
      "build: done",
      "judge: SUCCESS, 1 path",
      "settle: accept",
      "end: SUCCESS",
      "",
    ],
  });
  expect(`${stdout}${stderr}`).not.toContain("\u001B");
});

test("a usage limit is put back, costs nothing, and says when it is lifted", async () => {
  const { run, root, state, git } = withClaude({
    recording: "usage-limit",
    does: "echo half > src/x.ts",
    status: 1,
  });
  expect((await run()).status).toBe(13);
  expect(git("status", "--porcelain")).toBe("");
  expect(reportOf(root)).toMatchObject({ code: "STOP_RATE_LIMITED", cause: "usage_limit" });
  expect(readFileSync(join(state(), "journal.jsonl"), "utf8")).toContain('"until":"2026-11-18T11:06:40.000Z"');
});

test("a session that failed has its cause and its bill in the report", async () => {
  const { run, root } = withClaude({ recording: "max-turns", status: 1 });
  expect((await run()).status).toBe(10);
  expect(reportOf(root)).toMatchObject({
    code: "STOP_INTERRUPTED",
    cause: "max_turns",
    usage: [{ role: "builder", cost_usd: 0.00135 }],
  });
});
