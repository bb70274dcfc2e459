/** Single keys on a real terminal: a tmux server of its own, which goes with the test. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { executable } from "../support/relais.ts";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";
import { FOR_SOCKETS, scratchFolder } from "../support/scratch-repository.ts";

vi.setConfig({ testTimeout: 240_000 });

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const LINES = 100;

interface Pane {
  readonly repository: TickRepository;
  readonly press: (...keys: string[]) => Promise<void>;
  readonly shown: () => string;
  readonly sees: (text: string | RegExp) => Promise<void>;
  /** Lets the builder go on. */
  readonly go: () => void;
  /** Starts the tick by a shell with jobs, and shows its status and the modes of the terminal at the end. */
  readonly start: () => Promise<void>;
  readonly holder: () => number;
}

/** A shell at a terminal of this width, in a repository whose builder prints much and then waits. */
async function atShell(columns: number, work: (pane: Pane) => Promise<void>): Promise<void> {
  const repository = tickRepository();
  const { box, root, task } = repository;
  const path = join(box, "go");
  const steps = [
    { do: "write", path: "src/x.ts", text: "new\n" },
    { do: "print", text: `${Array.from({ length: LINES }, (_, index) => `line ${index}`).join("\n")}\n` },
    { do: "run", argv: ["sh", "-c", `while [ ! -e '${path}' ]; do sleep 0.1; done`] },
  ];
  writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));
  const env = {
    PATH: process.env["PATH"],
    HOME: box,
    XDG_STATE_HOME: join(box, "state"),
    TMUX_TMPDIR: scratchFolder(FOR_SOCKETS),
    TERM: "xterm",
    PS1: "shell> ",
  };
  const tmux = (...args: string[]): string => spawnSync("tmux", args, { env, encoding: "utf8" }).stdout;
  tmux("new-session", "-d", "-s", "one", "-x", String(columns), "-y", "30", "-c", root, "sh", "-i");
  const shown = (): string => tmux("capture-pane", "-p", "-J", "-t", "one").trimEnd();
  const press: Pane["press"] = async (...keys) => {
    // Nobody presses a key in the moment in which a line appears, and such a key was typed ahead.
    await delay(300);
    tmux("send-keys", "-t", "one", ...keys);
  };
  const sees: Pane["sees"] = async (text) => {
    const isSeen = (): boolean => (typeof text === "string" ? shown().includes(text) : text.test(shown()));
    for (let tries = 0; tries < 600 && !isSeen(); tries += 1) await delay(100);
    expect(shown()).toMatch(text);
  };
  const command = `'${process.execPath}' '${executable}' run --task '${join(box, "task.json")}'`;
  try {
    await sees("shell>");
    await work({
      repository,
      press,
      shown,
      sees,
      go: () => writeFileSync(path, ""),
      start: () =>
        press(`clear; ${command}; echo "status $?"; stty -a | grep -o -E -e '-?(icanon|echo|isig)\\b'`, "Enter"),
      holder: () => Number(JSON.parse(readFileSync(join(repository.state(), "lock.json"), "utf8")).pid),
    });
  } finally {
    tmux("kill-server");
    writeFileSync(path, "");
  }
}

/** The terminal is as the shell had it. */
const restored = (status: number): RegExp => new RegExp(`status ${status}\\nisig\\nicanon\\necho\\nshell>$`, "u");

test.runIf(hasTmux).each([60, 80, 120])("at %i columns: the keys are shown, and each does its work", (columns) =>
  atShell(columns, async ({ start, sees, press, go, shown, repository }) => {
    await start();
    await sees(/▸ build[^]*│ line 99[^]*\ns stop · d diff · l log · \? help$/u);
    await press("?");
    await sees(/\nd the change so far\nl what the agents said and did so far\n\? hide this help$/u);
    await press("?");
    await press("d");
    await sees(/running: the change so far\n1 file \+1 -1  Make x new\n[^]*\+new\n[^]*▸ build/u);
    go();
    await sees(/Next:[^]*\na accept · d diff · u undo · l log · enter leave$/u);
    expect(
      shown()
        .split("\n")
        .filter((line) => line.length > columns),
    ).toEqual([]);
    await press("a");
    await sees("✓ Committed");
    await sees(restored(0));
    expect(repository.git("status", "--porcelain")).toBe("");
  }),
);

test.runIf(hasTmux)("a pager keeps the terminal, with its Ctrl-C, and the card waits for its end", () =>
  atShell(80, async ({ start, sees, press, go, shown, repository }) => {
    await start();
    await sees("│ line 99");
    await press("l");
    await sees(/── builder [^]*… 70 more lines\n[^]*\n:$/u);
    await press("C-c");
    go();
    for (let tries = 0; tries < 300 && !isOver(repository); tries += 1) await delay(100);
    expect(isOver(repository)).toBe(true);
    expect(shown()).not.toContain("Next:");
    await press("q");
    await sees(/Next:[^]*enter leave$/u);
    await press("C-c");
    await sees(restored(0));
  }),
);

const isOver = ({ state }: TickRepository): boolean =>
  readFileSync(join(state(), "journal.jsonl"), "utf8").includes('"tick_ended"');

test.runIf(hasTmux)("s twice, Ctrl-C and SIGTERM stop the tick and restore the terminal", () =>
  atShell(80, async ({ start, sees, press, holder, repository }) => {
    await start();
    await sees("│ line 99");
    await press("s");
    await sees("press s again to stop and revert the change");
    await press("s");
    await sees(restored(130));
    await start();
    await sees("│ line 99");
    await press("C-c");
    await sees(restored(130));
    await start();
    await sees("│ line 99");
    process.kill(holder(), "SIGTERM");
    await sees(restored(143));
    expect(repository.git("status", "--porcelain")).toBe("");
  }),
);

test.runIf(hasTmux)("suspended and in the background nothing is read, and the command goes on", () =>
  atShell(80, async ({ start, sees, press, go, repository }) => {
    await start();
    await sees("│ line 99");
    await press("C-z");
    await sees(/status \d+\nisig\nicanon\necho\n[^]*shell>$/u);
    await press("bg", "Enter");
    await delay(1500);
    await press("echo typed s and d", "Enter");
    await sees(/\ntyped s and d\nshell>$/u);
    await press("jobs", "Enter");
    await sees(/Running/u);
    await press("clear; fg; echo back", "Enter");
    await sees(/s stop · d diff · l log · \? help$/u);
    // Keys are read again a moment after the shell has given the terminal back.
    await delay(1000);
    await press("?");
    await sees(/\? hide this help$/u);
    go();
    await sees(/enter leave$/u);
    await press("q");
    await sees(/\nback\nshell>$/u);
    expect(isOver(repository)).toBe(true);
  }),
);
