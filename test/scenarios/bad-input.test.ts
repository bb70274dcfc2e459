/** What is wrong with the machine or with the hands that typed: one clear sentence, its remedy, and nothing lost. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { partOf } from "../support/part-of.ts";
import { executable, type Ran } from "../support/relais.ts";
import { inTurn, inWorld } from "../support/scenario.ts";
import { GOOD_EDIT, taskOf } from "../support/scenario-documents.ts";
import { watch } from "../support/scenario-ending.ts";
import type { Variables, World } from "../support/scenario-world.ts";
import { differences } from "../support/walker.ts";

interface Trouble {
  readonly prepare: (world: World) => Variables | void;
  readonly expects: (ran: Ran, world: World) => void | Promise<void>;
  readonly ownProcess?: boolean;
  /** Makes the world removable again. */
  readonly release?: (world: World) => void;
}

/** Runs the usual task where something is wrong, and makes sure that the repository does not notice. */
function harmless({ prepare, expects, release, ownProcess = false }: Trouble): Promise<void> {
  return inTurn(() =>
    inWorld({ ownProcess }, async (world) => {
      const variables = prepare(world) ?? {};
      try {
        const before = watch(world);
        const ran = await world.relais(["run", "--task", join(world.box, "task.json")], variables);
        await expects(ran, world);
        expect(differences(before, watch(world))).toEqual([]);
      } finally {
        release?.(world);
      }
    }),
  );
}

/** A sentence and what to do, and not the lines of a stack. */
function expectWords({ stdout, stderr }: Ran, words: RegExp): void {
  expect(`${stdout}${stderr}`).toMatch(words);
  expect(`${stdout}${stderr}`).not.toMatch(/^ {4}at /m);
  expect(`${stdout}${stderr}`).toMatch(/^(?:Next:|See) /m);
}

describe.concurrent("a task file that is none", () => {
  test.for([
    ["that is not there", null, /task\.json does not exist/],
    ["that is not JSON", "do this, please", /is not a JSON object/],
    ["that is another document", '{ "version": "1.0" }', /is not a valid task/],
    ["that asks and builds", '{ "task_kind": "question", "builder": {} }', /a question goes to a person/],
    ["that is empty", "", /is not a JSON object/],
    ["that is enormous", " ".repeat(2 * 1024 * 1024), /cannot be used/],
  ] as const)("%s", ([, text, words]) =>
    harmless({
      prepare: ({ box }) => {
        if (text === null) rmSync(join(box, "task.json"));
        else writeFileSync(join(box, "task.json"), text);
      },
      expects: (ran, { box }) => {
        expect(ran.status).toBe(2);
        expectWords(ran, words);
        expect(existsSync(join(box, "state"))).toBe(false);
      },
    }),
  );
});

test("a task that this configuration cannot work on: every mistake at once, and none is the orchestrator's", () =>
  harmless({
    prepare: ({ box }) => {
      const task = taskOf({
        task: {
          scope: { allowed_globs: ["src/{a"], forbidden_globs: ["{b"] },
          verification: { fast: ["nowhere"] },
          builder: { mode: "codex" },
        },
      });
      writeFileSync(join(box, "task.json"), JSON.stringify(task));
    },
    expects: (ran) => {
      expect(ran.status).toBe(2);
      expect(ran.stderr).not.toMatch(/orchestrator/i);
      for (const words of [/scope\.allowed_globs/, /scope\.forbidden_globs/, /`codex`.*`scripted`/, /`nowhere`/])
        expectWords(ran, words);
    },
  }));

const isRoot = process.getuid?.() === 0;

/** Root may write anywhere but where this flag forbids it. */
function setWritable(folder: string, isWritable: boolean): void {
  if (isRoot) execFileSync("chattr", [isWritable ? "-i" : "+i", folder]);
  else chmodSync(folder, isWritable ? 0o755 : 0o555);
}

describe.concurrent("a machine that lacks something", () => {
  test("no git", () =>
    harmless({
      prepare: ({ box }) => ({ PATH: join(box, "bin") }),
      expects: (ran) => {
        expect(ran.status).toBe(11);
        expectWords(ran, /git/);
      },
    }));

  test("a git that is too old", () =>
    harmless({
      prepare: ({ box }) => {
        const old = 'case "$*" in *--version*) exec echo git version 2.20.1 ;; esac';
        writeFileSync(join(box, "bin", "git"), `#!/bin/sh\n${old}\nPATH=\${PATH#*:} exec git "$@"\n`, {
          mode: 0o755,
        });
      },
      expects: (ran) => {
        expect(ran.status).toBe(11);
        expectWords(ran, /2\.20\.1 is too old[^]*Next: Install git/);
      },
    }));

  test("a HEAD that names no branch", () =>
    harmless({
      prepare: ({ git }) => void git("checkout", "-q", "--detach"),
      expects: (ran) => {
        expect(ran.status).toBe(11);
        expectWords(ran, /HEAD is detached[^]*git switch/);
      },
    }));

  test("a folder that does not exist, and one that was removed", () =>
    inTurn(() =>
      inWorld({}, async (world) => {
        const file = join(world.root, "relais.config.json");
        const calls = ["status", "recover", "run", "salvage", "init", "doctor"].map((command) => [
          command,
          "/nonexistent",
        ]);
        for (const [command = "", place = ""] of [...calls, ["run", file], ["doctor", file]]) {
          const task = command === "run" ? ["--task", join(world.box, "task.json")] : [];
          const ran = await world.relais([command, ...task, "--cwd", place]);
          expect(ran.status).toBe(11);
          // The name of a folder may be longer than a line.
          expect(`${ran.stdout}${ran.stderr}`.replaceAll(/\s+/g, "")).toContain(`Thereisnofolder${place}`);
        }
        const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$NODE" "$RELAIS" status';
        const there = spawnSync("sh", ["-c", script], {
          cwd: world.box,
          env: { ...world.environment, NODE: process.execPath, RELAIS: executable },
          encoding: "utf8",
        });
        expect(there.status).toBe(2);
        expectWords(there, /the working directory does not exist any more/);
      }),
    ));

  test("a workspace that may not be written", () =>
    harmless({
      prepare: ({ root }) => setWritable(join(root, "relais"), false),
      expects: (ran) => {
        expect(ran.status).toBe(11);
        expectWords(ran, /(?:permitted|permission).*relais\/lock\.json[^]*Next: [^]*make it writable/);
      },
      release: ({ root }) => setWritable(join(root, "relais"), true),
    }));
});

/** Noise that does not compress, too much for the disk. */
const FILL_THE_STORE = {
  do: "run",
  argv: ["sh", "-c", "head -c 6000000 /dev/urandom > src/noise.bin; head -c 3000000 /dev/urandom > README.md"],
};

const small = ({ box }: World): string => join(box, "state");
const KILOBYTES = [64, 8, 160, 240, 272, 304];
const sized = (kilobytes: number, how = "") => ["-o", `${how}size=${kilobytes}k`];

const onSmallDisk = (kilobytes: number, expects: Trouble["expects"]): Promise<void> =>
  harmless({
    prepare: (world) => {
      mkdirSync(small(world));
      execFileSync("mount", ["-t", "tmpfs", ...sized(kilobytes), "none", small(world)]);
    },
    expects,
    // Without room for its end, a relais leaves its lock, which is nobody's only where the process is gone.
    ownProcess: true,
    release: (world) => void execFileSync("umount", [small(world)]),
  });

describe.runIf(isRoot && process.platform === "linux")("a full disk under the state directory", () => {
  test.concurrent("before anything is remembered the tick stops", () =>
    onSmallDisk(44, (ran) => {
      expect(ran.status).toBe(10);
      expectWords(ran, /(?:No space left|ENOSPC|diskspace)[^]*STOP_INTERRUPTED/);
    }),
  );

  test.concurrent.for(partOf(KILOBYTES, { kindOf: () => "size", oneIn: 5 }))(
    "whenever it is full, recovery works once there is room: %i kB",
    (kilobytes) =>
      onSmallDisk(kilobytes, async (ran, world) => {
        execFileSync("mount", [...sized(64 * 1024, "remount,"), small(world)]);
        const recovered = await world.relais(["recover"]);
        expect(recovered).toMatchObject({ status: 0, stderr: "" });
        if (ran.status === 0) world.git("checkout", "-q", ".");
      }),
  );

  test("a builder whose work has no room is put back all the same, and what is not kept is said", () =>
    inTurn(() =>
      inWorld({ steps: [FILL_THE_STORE, GOOD_EDIT] }, async (world) => {
        mkdirSync(small(world));
        execFileSync("mount", ["-t", "tmpfs", ...sized(2048), "none", small(world)]);
        try {
          const before = watch(world);
          const ran = await world.relais(["run", "--task", join(world.box, "task.json")]);
          expect(ran.status).toBe(10);
          expectWords(ran, /^✗ Reverted:[^]*STOP_INTERRUPTED/);
          expect(ran.stdout).toMatch(/^ {2}salvage {4}✗ not kept in salvage: the work \(/m);
          const notes: unknown = JSON.parse(world.read("relais/REPORT.json")).notes;
          expect(notes).toContainEqual(
            expect.stringMatching(/^not kept in salvage: the work \(.*(?:No space|ENOSPC|diskspace)/i),
          );
          expect(world.read("relais/REPORT.md")).toContain("not kept in salvage: the work");
          expect(differences(before, watch(world))).toEqual([]);
        } finally {
          execFileSync("umount", [small(world)]);
        }
      }),
    ));

  test("in the middle of a tick it is said in a sentence", () =>
    onSmallDisk(252, async (ran, world) => {
      expect(ran.status).toBe(11);
      expectWords(ran, /BLOCKED_CRASH_RECOVERY_REQUIRED[^]*(?:No space left|ENOSPC)/i);
      // Without a journal nothing is done, so the work stays where it is until there is room for it.
      execFileSync("mount", [...sized(64 * 1024, "remount,"), small(world)]);
      expect(await world.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
    }));
});
