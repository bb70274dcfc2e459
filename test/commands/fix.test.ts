import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sentenceWorld } from "../support/sentence-world.ts";

const SENTENCE = "say it twice";
/** The first session breaks the check; the next one goes on from its work. */
const BREAKS_THEN_MENDS = `
if [ "$n" = 0 ]; then printf "export const greeting = 'bye, bye';\\n" > src/greet.js
else grep -q 'bye, bye' src/greet.js && sed -i 's/bye, bye/hello, hello/' src/greet.js; fi`;
const ALWAYS_BREAKS = `printf "export const greeting = 'bye $n';\\n" > src/greet.js`;

const lines = (greeting: string, end: string) =>
  `export const greeting = '${greeting}';\n\n\n\n\n\n\nexport const end = '${end}';\n`;

const openWorld = (does: string, files = {}) =>
  sentenceWorld({ agents: { claude: "in" }, does: `cat > "$0.prompt"\n${does}`, files });
const readPrompt = ({ box }: { readonly box: string }) => readFileSync(join(box, "bin/claude.prompt"), "utf8");

describe("a sentence whose check is red", () => {
  test("is tried again from its own work, with what failed, as a tick of its own", async () => {
    const world = openWorld(BREAKS_THEN_MENDS);
    const { status, stdout, stderr } = await world.relais("run", SENTENCE);
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("2nd; before it, `test` failed"),
    });
    expect(stderr).toContain("`test` failed. Trying again from there, try 2 of 3");
    expect(world.read("src/greet.js")).toContain("hello, hello");
    const [first, second, ...more] = world.starts();
    expect(more).toEqual([]);
    expect(first?.repair).toBeUndefined();
    expect(second?.repair).toMatchObject({ number: 2, failed: "`test` failed" });
    expect(readPrompt(world)).toContain("its change was not kept");
  });

  test("ends after as many repairs as are configured, and its document names them all", async () => {
    const world = openWorld(ALWAYS_BREAKS);
    const { status, document } = await world.ask("run", SENTENCE);
    expect({ status, document }).toMatchObject({
      status: 10,
      document: {
        code: "STOP_VERIFY_FAILED_SLOW",
        repair: { number: 3 },
        repairs: [expect.any(String), expect.any(String)],
      },
    });
    expect(world.starts()).toHaveLength(3);
    expect(world.git("status", "--porcelain")).toBe("");
  });

  test("is one tick with --repairs 0, and with `repairs` in the configuration as many as it says", async () => {
    const world = openWorld(ALWAYS_BREAKS);
    expect(await world.ask("run", SENTENCE, "--repairs", "0")).toMatchObject({ status: 10 });
    expect(world.starts()).toHaveLength(1);
  });

  test("is not tried again where a cap does not cover it, and says what the last tick said", async () => {
    const config = {
      version: "1.0",
      builder: { default_mode: "claude_code" },
      budgets: { per_milestone: { max_builder_calls: 2 } },
      verification: { templates: [{ id: "test", cmd: "npm", args: ["test"] }] },
    };
    const world = openWorld(ALWAYS_BREAKS, { "relais.config.json": JSON.stringify(config) });
    expect(await world.ask("run", SENTENCE)).toMatchObject({ status: 10, document: { repair: { number: 2 } } });
    expect(world.starts()).toHaveLength(2);
  });
});

describe("what is exactly one tick", () => {
  test("a task from a file is not tried again, and --repairs is refused for it", async () => {
    const task = {
      task_id: "T-1",
      milestone_id: "M-1",
      task_kind: "execute",
      intent: SENTENCE,
      scope: { allowed_globs: ["src/**"], forbidden_globs: [], allow_new_files: false, allow_lockfile_changes: false },
      diff_limits: { max_files_touched: 3, max_lines_changed: 40 },
      verification: { fast: [], slow: ["test"] },
      builder: { mode: "claude_code", instructions: SENTENCE },
    };
    const world = openWorld(ALWAYS_BREAKS, { "task.json": JSON.stringify(task) });
    expect(await world.relais("run", "--task", "task.json", "--repairs", "1")).toMatchObject({ status: 2 });
    expect((await world.relais("run", "--task", "task.json")).status).toBe(10);
    expect(world.starts()).toHaveLength(1);
  });
});

describe("relais fix", () => {
  test("goes on from the last work that was not kept, with a word of the person", async () => {
    const world = openWorld(BREAKS_THEN_MENDS);
    expect(await world.ask("run", SENTENCE, "--repairs", "0")).toMatchObject({ status: 10 });
    const { status, document } = await world.ask("fix", "--say", "mind the comma");
    expect({ status, document }).toMatchObject({ status: 0, document: { code: "SUCCESS", repair: { number: 2 } } });
    expect(world.read("src/greet.js")).toContain("hello, hello");
    expect(readPrompt(world)).toContain("mind the comma");
  });

  test("tells how to allow a path that was outside of the scope, and keeps the work with it", async () => {
    const world = openWorld(`[ "$n" = 0 ] && mkdir -p tools && echo 1 > tools/gen.mjs; true`);
    const refused = await world.ask("run", SENTENCE, "--only", "src/**", "--repairs", "0");
    expect(refused).toMatchObject({ document: { code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" } });
    expect(await world.ask("fix", "--allow", "tools/**")).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
    expect(world.read("tools/gen.mjs")).toBe("1\n");
  });

  test("puts the work on top of a HEAD that moved, by git's own merge", async () => {
    const does = `
if [ "$n" = 0 ]; then sed -i "s/hello/bye/" src/greet.js
else grep -q "bye.*" src/greet.js && grep -q later src/greet.js && sed -i "s/bye/hello, hello/" src/greet.js; fi`;
    const world = openWorld(does, { "src/greet.js": lines("hello", "now") });
    expect(await world.ask("run", SENTENCE, "--repairs", "0")).toMatchObject({ status: 10 });
    world.put({ "src/greet.js": lines("hello", "later") });
    world.git("commit", "-qam", "meanwhile");
    expect(await world.ask("fix")).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
    expect(readPrompt(world)).toContain("`test` failed");
    expect(world.read("src/greet.js")).toBe(lines("hello, hello", "later"));
  });

  test("says where the work conflicts with HEAD, and what to type, before anybody is paid", async () => {
    const world = openWorld(BREAKS_THEN_MENDS);
    expect(await world.ask("run", SENTENCE, "--repairs", "0")).toMatchObject({ status: 10 });
    world.put({ "src/greet.js": "export const greeting = 'hello, you';\n" });
    world.git("commit", "-qam", "meanwhile");
    const { status, document } = await world.ask("fix");
    expect({ status, document }).toMatchObject({
      status: 10,
      document: {
        cause: "work_conflicts",
        problems: ["src/greet.js"],
        remedy: expect.stringContaining(`\`relais run '${SENTENCE}'\``),
      },
    });
    expect(world.starts()).toHaveLength(1);
    expect((await world.relais("run", SENTENCE, "--dry-run")).status).toBe(0);
  });

  test("refuses tampering, kept work and unknown ticks, and changes nothing", async () => {
    const world = openWorld("printf 'SECRET=2\\n' > .env.local && git add -f .env.local; true");
    expect(await world.ask("fix")).toMatchObject({ status: 10, document: { cause: "nothing_there" } });
    expect((await world.ask("run", SENTENCE, "--repairs", "0")).status).toBe(10);
    expect(await world.ask("fix")).toMatchObject({ status: 10, document: { cause: "not_repairable" } });
    expect(await world.relais("fix", "nosuchrun")).toMatchObject({ status: 2 });
    expect(world.starts()).toHaveLength(1);
    world.put({ "mine.js": "mine\n" });
    expect((await world.ask("run", SENTENCE)).status).toBe(11);
    const remedy = 'Say what to change instead: `relais run "…"`.';
    expect(await world.ask("fix")).toMatchObject({ document: { cause: "not_repairable", remedy } });
    expect(readFileSync(join(world.root, ".env"), "utf8")).toBe("SECRET=1\n");
  });
});
