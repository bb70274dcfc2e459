/** The first tick of docs/tick.md, done exactly as it is written there. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Report } from "../../src/records/report.ts";
import { relais } from "../support/in-process.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const [CONFIG = "", TASK = ""] = [...readFileSync(join(DOCS, "tick.md"), "utf8").matchAll(/```json\n(.*?)```/gs)].map(
  (match) => match[1] ?? "",
);

const CHECK =
  'import { readFileSync } from "node:fs";\n' +
  'process.exit(readFileSync("src/greeting.txt", "utf8").startsWith("Good morning") ? 0 : 1);\n';

/** A repository as the page describes it, with the example as its builder. */
async function greetingRepository() {
  const scratch = scratchRepository({
    "src/greeting.txt": "Hello, world\n",
    "check/greeting.mjs": CHECK,
    "relais.config.json": CONFIG,
  });
  const { box, root, put, commit } = scratch;
  mkdirSync(join(root, "tools"));
  copyFileSync(join(DOCS, "examples/builder.mjs"), join(root, "tools/builder.mjs"));
  commit({});
  const env = { HOME: box, XDG_STATE_HOME: join(box, "state") };
  const run = (...args: string[]) => relais(args, { cwd: root, env });
  expect(await run("init", "--commit")).toMatchObject({ status: 0 });
  const tick = async (task: string) => {
    put({ "../task.json": task });
    const { status, stdout, stderr } = await run("run", "--task", "../task.json", "--json");
    return { status, stderr, report: v.parse(Report, JSON.parse(stdout.replaceAll("<id>", "0".repeat(40)))) };
  };
  return { ...scratch, run, tick };
}

test("the task of the page is done by the builder of the page", async () => {
  const { root, git, run, tick } = await greetingRepository();
  expect(await run("run", "--task", "../none.json")).toMatchObject({ status: 2 });
  const { status, report } = await tick(TASK);
  expect(report).toMatchObject({ verdict: "success", code: "SUCCESS", builder_output_valid: true });
  expect(report.verification.runs).toMatchObject([{ template_id: "greeting", exit_code: 0 }]);
  expect(status).toBe(0);
  expect(readFileSync(join(root, "src/greeting.txt"), "utf8")).toBe("Good morning, world\n");
  expect(git("status", "--porcelain")).toBe("M src/greeting.txt");
});

test("an instruction that the builder does not know is a failed session, and nothing is changed", async () => {
  const { git, tick } = await greetingRepository();
  const { status, report } = await tick(TASK.replace("replace ", "translate "));
  expect(report).toMatchObject({ verdict: "stop", code: "STOP_INTERRUPTED", cause: "exit_3" });
  expect(report.message).toContain("I only know how to replace text.");
  expect(status).toBe(10);
  expect(git("status", "--porcelain")).toBe("");
});

test("a builder that is sent where it must not go is put back", async () => {
  const { root, git, tick } = await greetingRepository();
  const elsewhere = TASK.replace('\\"Hello\\"', '\\"Good morning\\"').replace("src/greeting.txt", "check/greeting.mjs");
  const { status, report } = await tick(elsewhere.replace('with \\"Good morning\\"', 'with \\"Hello\\"'));
  expect(report.code).toBe("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
  expect(report.findings).toMatchObject([{ subject: "check/greeting.mjs" }]);
  expect(status).toBe(10);
  expect(readFileSync(join(root, "check/greeting.mjs"), "utf8")).toBe(CHECK);
  expect(git("status", "--porcelain")).toBe("");
});
