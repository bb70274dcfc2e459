/** The keys of a live view, pressed in this process. `keys-tmux.test.ts` has them on a real terminal. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { inLoopWorld, type LoopWorld, stepOf } from "../support/loop-world.ts";
import { sitAtTerminal } from "../support/terminal.ts";

/** A loop of two ticks whose builder waits until there is a file. */
async function withLoop(
  work: (world: LoopWorld, person: ReturnType<typeof sitAtTerminal>, go: () => void) => Promise<void>,
): Promise<void> {
  await inLoopWorld({ plans: [] }, async (world) => {
    const path = join(world.box, "go");
    const steps = (text: string) => [
      { do: "print", text: "hammering away\n" },
      { do: "write", path: "src/main.ts", text },
      { do: "run", argv: ["sh", "-c", `while [ ! -e '${path}' ]; do sleep 0.05; done`] },
    ];
    const step = (text: string) => stepOf(steps(text), { intent: "Set the answer." });
    world.plan(1, [step("export const answer = 42;\n"), step("export const answer = 43;\n")]);
    const stop = new AbortController();
    const env = { ...world.environment, PAGER: "cat", NO_COLOR: "1", CI: "" };
    const person = sitAtTerminal({
      cwd: world.root,
      env,
      signal: stop.signal,
      onInterrupt: () => stop.abort("SIGINT"),
    });
    const go = (): void => writeFileSync(path, "");
    try {
      await work(world, person, go);
    } finally {
      if (!existsSync(path)) go();
    }
  });
}

const HINTS = "p pause · s stop · d diff · l log · ? help";

test("diff and log so far, help, and a pause that is withdrawn and asked for again", () =>
  withLoop(async (_world, person, go) => {
    const ended = main(["loop", "--max-ticks", "2"], person.terminal);
    await person.sees(HINTS);
    await person.sees("hammering away");
    await person.press("d");
    await person.sees("running: the change so far");
    await person.sees("1 file +1 -1  Set the answer.");
    await person.sees("+export const answer = 42;");
    await person.press("l");
    await person.sees("── orchestrator");
    await person.sees("── builder · scripted");
    await person.sees("hammering away");
    await person.press("?");
    await person.sees("s stop now: the change is reverted and saved in salvage");
    await person.press("?");
    await person.sees(HINTS);
    await person.press("p");
    await person.sees("pauses after this tick   p go on · s stop");
    await person.press("P");
    await person.sees(HINTS);
    await person.press("p");
    await person.sees("pauses after this tick");
    go();
    await ended;
    await person.sees(/Paused|paused/u);
    expect(person.isListening()).toBe(false);
  }));

test("stop asks once more, any other key takes it back, and twice is Ctrl-C", () =>
  withLoop(async (world, person) => {
    const ended = main(["loop"], person.terminal);
    await person.sees("hammering away");
    await person.press("s");
    await person.sees("press s again to stop and revert the change");
    await person.press("?");
    await person.press("?");
    await person.sees(HINTS);
    await person.press("s");
    await person.sees("press s again");
    await person.press("s");
    await ended;
    await person.sees("STOP_INTERRUPTED");
    expect(world.git("status", "--porcelain")).toBe("");
  }));
