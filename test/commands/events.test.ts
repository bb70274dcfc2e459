/** The journal as a stream: what is printed is what the journal holds, while it grows, is mended and begun anew. */
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const GOOD = { steps: [GOOD_EDIT] };
const journalPath = (world: World): string => join(world.state(), "journal.jsonl");
const numbers = (text: string): readonly number[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).seq);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const linesOf = (text: string): number => text.split("\n").length - 1;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Starts to follow; what it has printed so far is told by `out` and `err`. */
function follow(world: World, args: readonly string[] = ["--json"], cwd = world.root) {
  const { process: child, ended } = world.start(["events", "--follow", "--cwd", cwd, ...args]);
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.on("data", (text: string) => (said[stream] += text));
  return {
    out: () => said.stdout,
    err: () => said.stderr,
    end: async () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

test("every line of the journal is printed, in words and as JSON, and one tick of many", async () => {
  await inWorld(GOOD, async (world) => {
    expect(await world.relais(["events"])).toEqual({ status: 0, stdout: "", stderr: "" });
    expect((await world.run()).status).toBe(0);
    expect((await world.relais(["undo"])).status).toBe(0);
    expect((await world.run()).status).toBe(0);
    const journal = readFileSync(journalPath(world), "utf8");
    const json = await world.relais(["events", "--json"]);
    expect(json).toMatchObject({ status: 0, stderr: "" });
    const printed = json.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const recorded = journal
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(printed).toHaveLength(recorded.length);
    for (const [index, line] of printed.entries()) expect(recorded[index]).toMatchObject(line);
    const words = await world.relais(["events"]);
    expect(linesOf(words.stdout)).toBe(printed.length);
    for (const [index, line] of words.stdout.trimEnd().split("\n").entries())
      expect(line).toMatch(
        new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}Z ${printed[index].run_id} ${printed[index].event.type}\\b`),
      );
    const first: string = printed[0].run_id;
    const one = await world.relais(["events", "--json", "--run", first.slice(-8)]);
    expect(
      one.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).run_id),
    ).toEqual(printed.filter(({ run_id }) => run_id === first).map(({ run_id }) => run_id));
    expect((await world.relais(["events", "--run", "nobody"])).status).toBe(2);
    expect(readFileSync(journalPath(world), "utf8")).toBe(journal);
  });
});

test("text that others chose cannot reach the terminal", async () => {
  await inWorld({ ...GOOD, task: { intent: "red \u001b[31m and\nnew line" } }, async (world) => {
    await world.run();
    const { stdout } = await world.relais(["events"]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain(String.raw`red \u{1b}[31m and new line`);
  });
});

test("it follows from before the first tick, in another worktree, and a signal ends it", async () => {
  await inWorld(GOOD, async (world) => {
    const other = join(world.box, "other");
    world.git("worktree", "add", "-q", "-b", "other", other);
    const followed = follow(world, ["--json"], other);
    expect((await world.run()).status).toBe(0);
    const total = linesOf(readFileSync(journalPath(world), "utf8"));
    await until(() => linesOf(followed.out()) >= total);
    const { status, stdout, stderr } = await followed.end();
    expect({ status, stderr }).toEqual({ status: 130, stderr: "" });
    expect(numbers(stdout)).toEqual(upTo(total));
  });
});

test("a journal that is cut, damaged and mended is told once, and one begun anew from where it differs", async () => {
  await inWorld(GOOD, async (world) => {
    expect((await world.run()).status).toBe(0);
    const path = journalPath(world);
    const whole = readFileSync(path, "utf8");
    const total = linesOf(whole);
    const followed = follow(world);
    await until(() => linesOf(followed.out()) === total);
    // Cut after a whole line, and then mended into a new file.
    truncateSync(path, whole.indexOf("\n", whole.length / 2) + 1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    writeFileSync(`${path}.new`, whole);
    renameSync(`${path}.new`, path);
    // Damaged in the middle, and mended again.
    await new Promise((resolve) => setTimeout(resolve, 600));
    writeFileSync(path, `${whole.slice(0, -80)}${"x".repeat(79)}\n`);
    appendFileSync(path, "{}\n");
    await until(() => followed.err().includes("damaged"));
    writeFileSync(path, whole);
    expect((await world.relais(["undo"])).status).toBe(0);
    await until(() => linesOf(followed.out()) === total + 1);
    expect(numbers(followed.out())).toEqual(upTo(total + 1));
    // Begun anew.
    rmSync(path);
    rmSync(join(world.state(), "runs"), { recursive: true });
    rmSync(join(world.root, "relais/ledger.jsonl"));
    expect((await world.run()).status).toBe(0);
    const anew = linesOf(readFileSync(path, "utf8"));
    await until(() => linesOf(followed.out()) >= total + 1 + anew);
    const { stdout, stderr } = await followed.end();
    expect(numbers(stdout)).toEqual([...upTo(total + 1), ...upTo(anew)]);
    expect(stderr.match(/is damaged at line/g)).toHaveLength(1);
    expect(stderr.match(/the journal was replaced from line 1 on/g)).toHaveLength(1);
    expect(statSync(path).isFile()).toBe(true);
  });
});

test("it ends when nobody reads it any more", async () => {
  await inWorld(GOOD, async (world) => {
    await world.run();
    const { process: child, ended } = world.start(["events", "--follow"]);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.stdout?.destroy();
    await world.relais(["undo"]);
    expect((await ended).status).toBe(0);
  });
});
