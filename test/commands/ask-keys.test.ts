/** A held change is decided by single keys at the terminal of the runner. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, inject, test } from "vitest";
import type { KeyListener } from "../../src/terminal/command.ts";
import type { main as mainOfSources } from "../../src/main.ts";
import { executable } from "../support/relais.ts";
import { ASK, eventsOf, journalOf, untilAsked } from "../support/held-world.ts";
import { inTurn, inWorld } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";
import type { Variables, World } from "../support/scenario-world.ts";

const { main }: { readonly main: typeof mainOfSources } = createRequire(import.meta.url)(
  join(inject("built"), "main.cjs"),
);

interface Typist {
  readonly press: (keys: string) => void;
  readonly paste: (text: string) => void;
  readonly seen: () => string;
  readonly status: Promise<number>;
}

/** Runs relais on a terminal that a test types on. */
function atTerminal(world: World, args: readonly string[], more: Variables = {}): Typist {
  const listeners: KeyListener[] = [];
  let printed = "";
  const decoder = new TextDecoder();
  const status = main(args, {
    cwd: world.root,
    out: (text) => void (printed += typeof text === "string" ? text : decoder.decode(text)),
    err: (text) => void (printed += text),
    isTerminal: true,
    columns: 80,
    screen: {
      size: () => ({ columns: 80, rows: 24 }),
      onResize: () => () => {},
      onSuspend: () => () => {},
      lend: (use) => use(),
    },
    keyboard: {
      interrupt: () => {},
      listen: (listener) => {
        listeners.push(listener);
        return () => void listeners.splice(listeners.indexOf(listener), 1);
      },
    },
    env: { ...world.environment, PAGER: "cat", ...more },
    relais: [process.execPath, executable],
    signal: new AbortController().signal,
  });
  return {
    press: (keys) => {
      for (const key of keys) listeners.at(-1)?.onKey({ "\n": "enter", "\u001B": "escape" }[key] ?? key);
    },
    paste: (text) => listeners.at(-1)?.onText?.(text),
    seen: () => printed,
    status,
  };
}

const HELD = { steps: [GOOD_EDIT], config: ASK } as const;
const run = (world: World): readonly string[] => ["run", "--task", join(world.box, "task.json"), "--plain"];

/** Waits until a text was printed that often; a person presses no key before. */
async function untilSeen(typist: Typist, text: string, times = 1): Promise<void> {
  while (typist.seen().split(text).length <= times) await delay(20);
}

describe.concurrent("at the terminal", () => {
  test("d shows the change and a keeps it", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const typist = atTerminal(world, run(world));
        await untilSeen(typist, "a accept · r reject · e edit · d diff");
        expect(typist.seen()).toContain("Commit this change?");
        expect(typist.seen()).toContain("1 file, +1/-1");
        expect(typist.seen()).toContain(`relais accept ${journalOf(world)[0]?.run_id ?? ""}`);
        typist.press("d");
        await untilSeen(typist, "+export const answer = 42;");
        await untilSeen(typist, "d diff", 2);
        typist.press("xa");
        expect(await typist.status).toBe(0);
        expect(world.read("src/main.ts")).toContain("42");
      }),
    ));

  test("r asks for a reason, which can be typed, corrected and pasted", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const typist = atTerminal(world, run(world));
        await untilSeen(typist, "d diff");
        typist.press("r");
        await untilSeen(typist, "Why?");
        typist.press("\u001B");
        await untilSeen(typist, "d diff", 2);
        typist.press("r");
        await untilSeen(typist, "Why?", 2);
        typist.press("Nox\u007F: ");
        typist.paste("keep\nthe ");
        typist.paste("name\r");
        expect(await typist.status).toBe(10);
        expect(eventsOf(world, "decided")).toMatchObject([{ decision: "reject", message: "No: keep the name" }]);
      }),
    ));

  test("e opens the editor, and the edited change is judged and asked about again", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const editor = join(world.box, "bin", "my-editor");
        writeFileSync(
          editor,
          '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/opened"\nfor last; do :; done\necho "// edited" >> "$last"\n',
        );
        chmodSync(editor, 0o755);
        const typist = atTerminal(world, run(world), { EDITOR: `${editor} -w` });
        await untilSeen(typist, "d diff");
        typist.press("e");
        await untilSeen(typist, "Commit this change?", 2);
        await untilSeen(typist, "d diff", 2);
        typist.press("a");
        expect(await typist.status).toBe(0);
        expect(world.read("src/main.ts")).toBe("export const answer = 42;\n// edited\n");
        const opened = readFileSync(join(world.box, "home", "opened"), "utf8");
        expect(opened).toBe(`-w\n${join(world.root, "src/main.ts")}\n`);
        expect(eventsOf(world, "decided").map(({ decision }) => decision)).toEqual(["edit", "accept"]);
      }),
    ));

  test("e without an editor waits until the person has edited the files", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const typist = atTerminal(world, run(world));
        await untilSeen(typist, "d diff");
        typist.press("e");
        await untilSeen(typist, "Edit the files");
        world.put({ "src/main.ts": "export const answer = 420;\n" });
        typist.press("\n");
        await untilSeen(typist, "Commit this change?", 2);
        await untilSeen(typist, "d diff", 2);
        typist.press("a");
        expect(await typist.status).toBe(0);
      }),
    ));

  test("another terminal may be faster", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const typist = atTerminal(world, run(world));
        await untilSeen(typist, "d diff");
        typist.press("r");
        await untilSeen(typist, "Why?");
        const runId = await untilAsked(world);
        await world.relais(["accept", runId]);
        expect(await typist.status).toBe(0);
      }),
    ));

  test("--ask asks once, without a key of the configuration", () =>
    inTurn(() =>
      inWorld({ steps: [GOOD_EDIT] }, async (world) => {
        const typist = atTerminal(world, [...run(world), "--ask"]);
        await untilSeen(typist, "d diff");
        typist.press("a");
        expect(await typist.status).toBe(0);
        expect(eventsOf(world, "asked")).toHaveLength(1);
      }),
    ));
});
