/** The live view on a real terminal: a tmux server of its own, which goes with the test. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { inLoopWorld, type LoopWorld, stepOf } from "../support/loop-world.ts";
import { executable } from "../support/relais.ts";
import { FOR_SOCKETS, scratchFolder } from "../support/scratch-repository.ts";

vi.setConfig({ testTimeout: 240_000 });

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

interface Opening {
  readonly size?: readonly [columns: string, rows: string];
  /** Variables of the command. */
  readonly before?: string;
  /** What the shell does before it tells the status. */
  readonly after?: string;
}

interface Panes {
  readonly tmux: (...args: readonly string[]) => string;
  /** Types a command into a terminal of its own. */
  readonly open: (name: string, args: readonly string[], how?: Opening) => void;
  /** The same by a shell with jobs, which does this instead of only waiting for it. */
  readonly script: (name: string, script: (command: string) => string) => void;
  readonly shown: (name: string) => readonly string[];
  readonly sees: (name: string, text: string | RegExp) => Promise<void>;
}

/** A loop whose builder says something and then waits until it may go on. */
async function withLoop(work: (world: LoopWorld, panes: Panes) => Promise<void>): Promise<void> {
  await inLoopWorld({ plans: [] }, async (world) => {
    const go = layPlans(world);
    const env = {
      ...world.environment,
      TMUX_TMPDIR: scratchFolder(FOR_SOCKETS),
      TMUX: "",
      TERM: "xterm",
      CI: "",
    };
    const tmux: Panes["tmux"] = (...args) => spawnSync("tmux", args, { env, encoding: "utf8" }).stdout;
    try {
      await work(world, panesOf(world, tmux));
    } finally {
      tmux("kill-server");
      writeFileSync(go, "");
    }
  });
}

/** Plans whose builder hammers away until there is the file that is answered with. */
function layPlans(world: LoopWorld): string {
  const go = join(world.box, "go");
  const steps = [
    { do: "print", text: "hammering away\n" },
    { do: "run", argv: ["sh", "-c", `while [ ! -e '${go}' ]; do sleep 0.1; done`] },
    { do: "write", path: "src/main.ts", text: "export const answer = 42; // now\n" },
  ];
  const step = () => stepOf(steps, { intent: "Set the answer." });
  world.plan(1, [step(), step()]);
  return go;
}

const USUAL: readonly [string, string] = ["100", "30"];

const lineOf = (args: readonly string[]): string =>
  [process.execPath, executable, ...args].map((arg) => `'${arg}'`).join(" ");

function panesOf({ root }: LoopWorld, tmux: Panes["tmux"]): Panes {
  const shown: Panes["shown"] = (name) => tmux("capture-pane", "-p", "-t", name).trimEnd().split("\n");
  const start = (name: string, script: string, [columns, rows]: readonly [string, string]): void =>
    void tmux("new-session", "-d", "-s", name, "-x", columns, "-y", rows, "-c", root, "sh", "-c", script);
  return {
    tmux,
    shown,
    open: (name, args, { size = USUAL, before = "", after = "" } = {}) =>
      start(
        name,
        `trap : INT; set -m; echo begun; ${before} ${lineOf(args)}; ${after} echo "status $?"; trap - INT; exec cat`,
        size,
      ),
    script: (name, script) => start(name, `set -m; ${script(lineOf(["loop"]))}; exec cat`, USUAL),
    sees: async (name, text) => {
      const isSeen = (): boolean => {
        const all = shown(name).join("\n");
        return typeof text === "string" ? all.includes(text) : text.test(all);
      };
      for (let tries = 0; tries < 600 && !isSeen(); tries += 1) await delay(100);
      expect(shown(name).join("\n")).toMatch(text);
    },
  };
}

/** What holds whenever a command is over: the cursor is seen, the screen is the usual one, and the block is gone. */
function checkRestored({ tmux, shown }: Panes, name: string): void {
  expect(tmux("display-message", "-p", "-t", name, "#{cursor_flag} #{alternate_on}").trim()).toBe("1 0");
  expect(shown(name).filter((line) => /· report|hammering|\^C/.test(line))).toEqual([]);
}

test.runIf(hasTmux)("a loop is seen, from elsewhere too, at every size, and after Ctrl-C its card stands there", () =>
  withLoop(async (_world, panes) => {
    const { tmux, open, shown, sees } = panes;
    open("live", ["loop", "--max-ticks", "1"]);
    await sees("live", "hammering away");
    expect(shown("live").join("\n")).toMatch(
      /^begun\nSeries \S+\n\nrelais loop {2}tick 1 of 1 [^]*\d:\d\d\n✓ plan {3}▸ build {3}· judge[^]*task +Set the answer\.\n +builder +│ hammering away/,
    );
    open("other", ["status", "--watch"]);
    await sees("other", /relais loop {2}tick 1 of 1[^]*▸ build[^]*hammering away/);
    tmux("resize-window", "-t", "live", "-x", "50", "-y", "30");
    await sees("live", "✓ ▸ · · · · · build");
    expect(shown("live").filter((line) => line.length > 50 || line.includes("▸ build"))).toEqual([]);
    tmux("resize-window", "-t", "live", "-x", "100", "-y", "30");
    await sees("live", "▸ build   ·");
    expect(shown("live").filter((line) => /relais loop|▸/.test(line))).toHaveLength(2);
    tmux("send-keys", "-t", "live", "C-c");
    await sees("live", "status 130");
    checkRestored(panes, "live");
    const all = tmux("capture-pane", "-p", "-S", "-", "-t", "live");
    // What was printed is there; a terminal that became narrower may have kept a few rows of the block in its history.
    expect(all).toMatch(/^begun\nSeries \S+\n[^]*✗ Reverted STOP_INTERRUPTED [^]*Interrupted\./);
    await sees("other", "status 0");
    checkRestored(panes, "other");
    expect(shown("other").join("\n")).toContain("last tick");
  }),
);

test.runIf(hasTmux)("Ctrl-Z takes the view away until the command goes on", () =>
  withLoop(async (_world, panes) => {
    const { tmux, open, sees } = panes;
    open("one", ["loop"], { after: 'echo "stopped $?"; read go; fg;' });
    await sees("one", "hammering away");
    tmux("send-keys", "-t", "one", "C-z");
    await sees("one", /^stopped \d+$/m);
    checkRestored(panes, "one");
    tmux("send-keys", "-t", "one", "Enter");
    await sees("one", /▸ build[^]*hammering away/);
    tmux("send-keys", "-t", "one", "C-c");
    await sees("one", "status 130");
    checkRestored(panes, "one");
    expect(panes.shown("one").join("\n")).toContain("Interrupted.");
  }),
);

/** The process that works here. */
function holderOf(world: LoopWorld): number {
  const path = join(world.state(), "lock.json");
  expect(existsSync(path)).toBe(true);
  return Number(JSON.parse(readFileSync(path, "utf8")).pid);
}

test.runIf(hasTmux)("SIGTERM and SIGKILL leave a cursor, and the shell goes on below", () =>
  withLoop(async (world, panes) => {
    const { open, shown, sees } = panes;
    open("term", ["loop"], { size: ["60", "15"] });
    await sees("term", "hammering away");
    process.kill(holderOf(world), "SIGTERM");
    await sees("term", "status 143");
    checkRestored(panes, "term");
    open("kill", ["loop"], { size: ["60", "15"] });
    await sees("kill", "hammering away");
    process.kill(holderOf(world), "SIGKILL");
    await sees("kill", "status 137");
    const { tmux } = panes;
    expect(tmux("display-message", "-p", "-t", "kill", "#{cursor_flag} #{alternate_on}").trim()).toBe("1 0");
    expect(shown("kill").findIndex((line) => line.startsWith("status 137"))).toBeGreaterThan(
      shown("kill").findLastIndex((line) => line.includes("hammering")),
    );
    await world.relais(["recover"]);
  }),
);

test.runIf(hasTmux).each([
  ["loop --plain", "told"],
  ["TERM=dumb loop", "told"],
  ["CI=true loop", "told"],
  ["NO_COLOR=1 loop", "drawn"],
])("%s is %s without colours", (typed, way) =>
  withLoop(async (_world, panes) => {
    const { tmux, open, sees } = panes;
    const words = typed.split(" ");
    const before = words.filter((word) => word.includes("=")).join(" ");
    open(
      "one",
      words.filter((word) => !word.includes("=")),
      { before },
    );
    await sees("one", "hammering away");
    const dressed = tmux("capture-pane", "-p", "-e", "-t", "one");
    expect(dressed).not.toContain("\u001B[");
    expect(dressed).toMatch(way === "told" ? /^\d\d:\d\d:\d\d builder: hammering away$/m : /▸ build/);
    tmux("send-keys", "-t", "one", "C-c");
    await sees("one", "status 130");
  }),
);

test("without a terminal status --watch tells the steps of another process in lines, and then the status", () =>
  inLoopWorld({ plans: [] }, async (world) => {
    const go = layPlans(world);
    const loop = world.start(["loop", "--max-ticks", "1"]);
    for (let tries = 0; tries < 600 && !existsSync(join(world.state(), "lock.json")); tries += 1) await delay(50);
    const watch = world.start(["status", "--watch"]);
    const builder = world.start(["status", "--watch", "--role", "builder"]);
    await new Promise<void>((resolve) => {
      let text = "";
      watch.process.stdout?.on("data", (data: Buffer) => {
        text += data.toString();
        if (text.includes("hammering away")) resolve();
      });
    });
    writeFileSync(go, "");
    expect((await loop.ended).status).toBe(0);
    const { status, stdout, stderr } = await watch.ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /\d\d:\d\d:\d\d builder: hammering away\n\S+ build: done\n\S+ judge: SUCCESS, 1 path\n[^]*end: SUCCESS\n\S+ series: ended, max_ticks: .*\n✓ [^]*\n {2}repository [^]*last tick {2}✓ SUCCESS/,
    );
    const alone = await builder.ended;
    expect([alone.status, alone.stderr]).toEqual([0, ""]);
    expect(alone.stdout).toMatch(/^\S+ hammering away\n(?:\S+ .*\n)*The leader \(process \d+\) is done\.\n$/);
    expect(alone.stdout).not.toMatch(/build:|plan:|judge:/);
  }));

test.runIf(hasTmux && process.platform === "linux")(
  "in the background nothing is drawn over what others print, and in the foreground it is again",
  () =>
    withLoop(async (_world, panes) => {
      const { tmux, shown, sees, script } = panes;
      script("bg", (line) => `${line}; bg; echo "typed by somebody"; read go; fg; echo "status $?"`);
      await sees("bg", "▸ build");
      tmux("send-keys", "-t", "bg", "C-z");
      await sees("bg", "typed by somebody");
      // Longer than the clock of the view takes for one step.
      await delay(1500);
      expect(shown("bg").filter((line) => line.includes("▸ build"))).toEqual([]);
      tmux("send-keys", "-t", "bg", "Enter");
      await sees("bg", "▸ build");
      tmux("send-keys", "-t", "bg", "C-c");
      await sees("bg", "status 130");
      checkRestored(panes, "bg");
      script("amp", (line) => `${line} & read go; fg; echo "status $?"`);
      await sees("amp", /^\d\d:\d\d:\d\d builder: hammering away$/m);
      expect(shown("amp").filter((line) => line.includes("▸ build"))).toEqual([]);
      tmux("send-keys", "-t", "amp", "Enter");
      // The shell needs a moment to hand the terminal over; until then Ctrl-C would end the shell itself.
      await delay(1500);
      tmux("send-keys", "-t", "amp", "C-c");
      await sees("amp", "status 130");
    }),
);
