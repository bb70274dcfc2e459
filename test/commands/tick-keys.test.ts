/** The single keys after `relais run` on a terminal. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { sitAtTerminal } from "../support/terminal.ts";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };
const STRAY = { do: "write", path: "README", text: "outside\n" };

function begin(
  repository: TickRepository,
  steps: readonly object[],
  over: Partial<Parameters<typeof sitAtTerminal>[0]> = {},
) {
  const { root, box, task } = repository;
  writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));
  const env = { PATH: process.env["PATH"], HOME: box, XDG_STATE_HOME: join(box, "state"), PAGER: "cat", NO_COLOR: "1" };
  const person = sitAtTerminal({ cwd: root, env, ...over });
  const run = (...args: string[]) => main(["run", "--task", join(box, "task.json"), ...args], person.terminal);
  return { person, run, read: () => readFileSync(join(root, "src/x.ts"), "utf8") };
}

const KEYS = "\r\u001B[K";

const ALL = `${KEYS}a accept · d diff · u undo · l log · enter leave`;

test("each key does what its command does, and a decision ends them", async () => {
  const repository = tickRepository();
  const { person, run, read } = begin(repository, [WRITE]);
  const ended = run();
  await person.sees(ALL);
  await person.press("d");
  await person.sees(/kept, not committed\n1 file \+1 -1  Make x new\n[^]*\n\+new\n/u);
  await person.sees(ALL);
  await person.press("l");
  await person.sees(/── builder · scripted [^]*✓ done: done\n/u);
  await person.sees(ALL);
  await person.press("A");
  await person.sees("✓ Committed");
  expect(await ended).toBe(0);
  expect([repository.git("log", "--format=%s", "-1"), read()]).toEqual([
    expect.stringContaining("Make x new"),
    "new\n",
  ]);
  expect(person.isListening()).toBe(false);
});

test("undo reverts the change, and the keys end", async () => {
  const { person, run, read } = begin(tickRepository(), [WRITE]);
  const ended = run();
  await person.sees(ALL);
  await person.press("u");
  await person.sees("✓ Undone");
  expect(await ended).toBe(0);
  expect([read(), person.isListening()]).toEqual(["old\n", false]);
});

test.each(["enter", "g"])("%s leaves: another key may begin the next command", async (key) => {
  const { person, run, read } = begin(tickRepository(), [WRITE]);
  const ended = run();
  await person.sees(ALL);
  await person.press(key);
  expect(await ended).toBe(0);
  expect(read()).toBe("new\n");
  expect(person.text().endsWith(KEYS)).toBe(true);
  expect(person.isListening()).toBe(false);
});

test("a reverted change can be tried again or looked at, and the status is that of the tick", async () => {
  const { person, run } = begin(tickRepository(), [STRAY]);
  const ended = run();
  await person.sees(`${KEYS}f try again · d diff · l log · enter leave`);
  await person.press("d");
  await person.sees("reverted, saved in salvage");
  await person.sees("enter leave");
  await person.press("leave");
  expect(await ended).toBe(10);
});

test("nothing is asked without a person: no keyboard, --json, --quiet, --plain, CI, --dry-run, a signal", async () => {
  const repository = tickRepository();
  const ask = async (args: readonly string[], over: Parameters<typeof begin>[2] = {}) => {
    const { person, run } = begin(repository, [STRAY], over);
    await run(...args);
    return person.text().includes("leave");
  };
  const env = {
    PATH: process.env["PATH"],
    HOME: repository.box,
    XDG_STATE_HOME: join(repository.box, "state"),
    CI: "true",
  };
  expect(await ask([], { hasKeyboard: false })).toBe(false);
  for (const option of ["--json", "--quiet", "--plain", "--dry-run"]) expect(await ask([option])).toBe(false);
  expect(await ask([], { env })).toBe(false);
});

test("a signal while keys are offered ends the command", async () => {
  const stop = new AbortController();
  const { person, run } = begin(tickRepository(), [WRITE], { signal: stop.signal });
  const ended = run();
  await person.sees("enter leave");
  stop.abort("SIGTERM");
  expect(await ended).toBe(0);
  expect(person.isListening()).toBe(false);
});
