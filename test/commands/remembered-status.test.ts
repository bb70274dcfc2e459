/** A status that is remembered says what a status that reads everything says, and only as long as it holds. */
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";

const file = (world: World) => join(world.state(), "status.json");

/** Without what grows with the clock. */
async function ask(world: World): Promise<unknown> {
  const { stdout } = await world.relais(["status", "--json"]);
  return JSON.parse(stdout.replaceAll(/"seconds_ago":\d+/g, '"seconds_ago":0'));
}

/** What is remembered is removed, so that everything is read. */
async function askAnew(world: World): Promise<unknown> {
  rmSync(file(world), { force: true });
  return ask(world);
}

/** The mark is in the answer only if that came from memory. */
function mark(world: World): void {
  const [bound = "", body = ""] = readFileSync(file(world), "utf8").split("\n");
  const changed = body.replace('"intent":"Set the answer to 42."', '"intent":"As I remember it."');
  writeFileSync(file(world), `${bound}\n${changed}\n${changed}\n`);
}

const ENDS = {
  "a change that is committed": { config: { git: { commit: "always" } } },
  "a change that waits": {},
  "a change that was reverted": { task: { verification: { fast: ["red"], slow: [] } } },
  "a question": {
    task: {
      task_kind: "question",
      question: { prompt: "Which?", choices: ["a", "b"] },
      builder: undefined,
    },
  },
} as const;

test.for(Object.entries(ENDS))("after %s both are the same", async ([, scenario]) => {
  await inWorld(scenario, async (world) => {
    await world.run();
    expect(existsSync(file(world))).toBe(true);
    const remembered = await ask(world);
    expect(remembered).toEqual(await askAnew(world));
  });
});

test("after a tick with a configuration that leaves most of it out, both are the same", async () => {
  await inWorld({ config: { git: { commit: "always" } } }, async (world) => {
    const path = join(world.root, "relais.config.json");
    const { builder, verification, git }: Record<string, unknown> = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ builder, verification, git }));
    world.git("commit", "-qam", "say less");
    await world.run();
    mark(world);
    const remembered = await ask(world);
    expect(remembered).toMatchObject({ last_tick: { intent: "As I remember it." } });
    const anew = await askAnew(world);
    expect(JSON.parse(JSON.stringify(remembered).replace("As I remember it.", "Set the answer to 42."))).toEqual(anew);
  });
});

const CHANGES: Readonly<Record<string, (world: World) => void>> = {
  "the journal grew": (world) => appendFileSync(join(world.state(), "journal.jsonl"), "{"),
  "the journal was cut": (world) => truncateSync(join(world.state(), "journal.jsonl"), 10),
  "the journal is gone": (world) => rmSync(join(world.state(), "journal.jsonl")),
  "the configuration changed": (world) => appendFileSync(join(world.root, "relais.config.json"), "\n"),
  "the configuration is gone": (world) => rmSync(join(world.root, "relais.config.json")),
  "a lock is there": (world) => writeFileSync(join(world.state(), "lock.json"), "?"),
  "it is cut itself": (world) => truncateSync(file(world), 100),
};

test.for(Object.entries(CHANGES))("where %s everything is read", async ([, change]) => {
  await inWorld({ config: { git: { commit: "always" } } }, async (world) => {
    await world.run();
    mark(world);
    expect(await ask(world)).toMatchObject({ last_tick: { intent: "As I remember it." } });
    change(world);
    const answered = await ask(world);
    expect(answered).toEqual(await askAnew(world));
  });
});

const FORGED: Readonly<Record<string, unknown>> = {
  budgets: { used: 1 },
  openSeries: [null],
  lastTick: { code: "constructor" },
  waiting: [1],
  question: "x",
};

test.for(Object.entries(FORGED))("a remembered part that is none (%s) is read anew", async ([name, part]) => {
  await inWorld({ config: { git: { commit: "always" } } }, async (world) => {
    await world.run();
    const [bound = "", body = ""] = readFileSync(file(world), "utf8").split("\n");
    const forged = JSON.stringify({ ...JSON.parse(body), [name]: part });
    writeFileSync(file(world), `${bound}\n${forged}\n${forged}\n`);
    expect(await world.relais(["status"])).toMatchObject({ status: 0, stderr: "" });
    expect(await world.relais(["status", "--json"])).toMatchObject({ status: 0, stderr: "" });
  });
});

test("what was remembered is not trusted beyond the journal: a removed change does not wait", async () => {
  await inWorld({}, async (world) => {
    await world.run();
    expect(await ask(world)).toMatchObject({ accepted: { files: 1 } });
    world.git("checkout", "--", "src/main.ts");
    expect(await ask(world)).toMatchObject({ accepted: null });
  });
});

test("status reads as much after many ticks as after one", async () => {
  await inWorld({ config: { git: { commit: "always" } } }, async (world) => {
    await world.run();
    const journal = join(world.state(), "journal.jsonl");
    const size = readFileSync(file(world)).length;
    await world.run();
    await world.run();
    expect(readFileSync(journal).length).toBeGreaterThan(size);
    expect(Math.abs(readFileSync(file(world)).length - size)).toBeLessThan(200);
  });
});

test.for(["no JSON", "null", "[]", '{"root":1}'])("%s in its place makes no command fail", async (forged) => {
  await inWorld({}, async (world) => {
    await world.run();
    const [bound = ""] = readFileSync(file(world), "utf8").split("\n");
    writeFileSync(file(world), `${bound}\n${forged}\n${forged}\n`);
    const { status, stdout } = await world.relais(["status", "--json"]);
    expect({ status, answer: JSON.parse(stdout) }).toMatchObject({ status: 0, answer: { last_tick: {} } });
  });
});
