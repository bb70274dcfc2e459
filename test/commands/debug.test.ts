/** `RELAIS_DEBUG=1` tells of each process that relais starts, and of nothing that must not be shown. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderProcess } from "../../src/base/process-text.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";

const SECRET = "tok-abcdef'123456";
const PROGRAM = `env > "$(dirname "$0")/builder-env"
echo 'export const answer = 42;' > src/main.ts
${LEAVE_RESULT}`;
const LINE = /^relais: \d+ ms, (?:status \d+|SIG[A-Z]+): /;

const builderWith = (...args: string[]) => ({ command: { command: "sh", args: ["-c", '. "$0"', ...args] } });

test("each process of a tick is one line with its time, its end and its arguments", async () => {
  const config = { builder: builderWith("../../builder.sh", `--key=${SECRET}`, "two\nlines") };
  const task = { verification: { fast: ["answer", "red"], slow: [] } };
  const env = { SERVICE_TOKEN: SECRET };
  await inWorld({ program: PROGRAM, config, task, env }, async (world) => {
    const { stdout, stderr } = await world.run([], { RELAIS_DEBUG: "1" });
    expect(JSON.parse(stdout)).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST" });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    const told = lines.map((line) => line.replace(/^relais: \d+ ms, /, ""));
    const builder = `status 0: sh -c '. "$0"' ../../builder.sh '--key=[redacted]' 'two\\u{a}lines'`;
    expect(told.filter((line) => line.includes("builder.sh"))).toEqual([builder]);
    expect(told).toContain("status 0: grep -q 42 src/main.ts");
    expect(told).toContain("status 1: false");
    expect(told.filter((line) => /^status 0: \/\S+\/git \w/.test(line)).length).toBeGreaterThan(1);
    expect(readFileSync(join(world.box, "builder-env"), "utf8")).not.toContain("RELAIS_DEBUG");
  });
});

test("nothing is told where nobody asked", async () => {
  await inWorld({ program: PROGRAM }, async (world) => {
    expect((await world.relais(["doctor"])).stderr).toBe("");
    expect((await world.relais(["doctor"], { RELAIS_DEBUG: "0" })).stderr).toBe("");
  });
});

test("a long argument is cut and what a terminal would obey is shown", () => {
  const note = {
    argv: ["claude", "-p", "x".repeat(500), "it's \u001b[2J"],
    durationMs: 12.4,
    end: "SIGKILL",
  };
  expect(renderProcess(note)).toBe(`relais: 12 ms, SIGKILL: claude -p ${"x".repeat(200)}... 'it'\\''s \\u{1b}[2J'\n`);
});

test("whatever starts a process tells of it", () => {
  const root = join(import.meta.dirname, "../../src");
  const starters = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .filter((name) => /\b(?:spawn|execFile|fork)\w*\(|promisify\(exec/.test(readFileSync(join(root, name), "utf8")));
  const silent = starters.filter(
    (name) => !/\b(?:noteProcess|beginNote)\(\{/.test(readFileSync(join(root, name), "utf8")),
  );
  expect(starters.length).toBeGreaterThan(4);
  // The inside of a scripted builder and of a sandbox: no part of relais but what relais supervises. A drill starts
  // hundreds of them in its copies.
  expect(silent).toEqual(["drill/call-program.ts", "process/play-script.ts", "sandbox/sandbox.ts"]);
});
