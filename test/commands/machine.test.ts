/** What each command says on a machine that lacks something. */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { executable, relais } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { tickRepository } from "../support/tick-repository.ts";

/** The status reads files: only its preflight, which is a part of the answer, asks how old git is. */
const READING = [[], ["status"], ["status", "--preflight"]];
/** All that ask something of git, whatever the state of the repository. */
const ASKING = [
  ["run"],
  ["run", "--dry-run"],
  ["accept"],
  ["answer", "yes"],
  ["undo"],
  ["recover"],
  ["recover", "--abandon"],
  ["init"],
  ["history", "prune"],
  ["demo"],
  ["judge"],
  ["judge", "--staged"],
];

/** A git that lies about its version wherever it is asked, and otherwise does what git does. */
function oldGit(): string {
  const folder = scratchFolder();
  const lie = 'for word; do [ "$word" = --version ] && exec echo git version 2.20.1; done';
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${lie}\nPATH=\${PATH#*:}\nexec git "$@"\n`, { mode: 0o755 });
  return `${folder}${delimiter}${process.env["PATH"]}`;
}

describe.each([
  {
    name: "without git",
    path: scratchFolder,
    asking: [...READING, ...ASKING],
    sentence: /git cannot be run: no git is on the PATH;/,
  },
  {
    name: "with a git that is too old",
    path: oldGit,
    asking: ASKING,
    sentence: /git version 2\.20\.1 is too old; relais needs git 2\.36 or later\./,
  },
])("$name", ({ path, asking, sentence }) => {
  test("every command that needs one says so in one sentence, with the remedy and status 11", async () => {
    const { root, box } = tickRepository();
    const env = { PATH: path(), XDG_STATE_HOME: join(box, "state") };
    for (const args of asking) {
      const { status, stdout, stderr } = await relais(args, { cwd: root, env });
      expect({ args, status, stdout }).toEqual({ args, status: 11, stdout: "" });
      expect(`${args.join(" ")}: ${stderr}`).toMatch(sentence);
      expect(`${args.join(" ")}: ${stderr}`).toMatch(/^[a-z -]*: blocked .+\nNext: .+\n$/);
    }
    expect(JSON.parse((await relais(["accept", "--json"], { cwd: root, env })).stdout)).toMatchObject({
      code: "BLOCKED_MISSING_CONFIG",
      cause: expect.stringMatching(/^git_(missing|too_old)$/),
    });
  });
});

test.skipIf(!existsSync("/proc/self"))("a state directory where no folder can be made is refused at once", () => {
  const { root } = tickRepository();
  for (const args of [["run"], ["accept"], ["undo"], ["recover"]]) {
    const { status, stderr } = spawnSync(process.execPath, [executable, ...args], {
      cwd: root,
      env: { ...gitEnvironment(root), XDG_STATE_HOME: "/proc/relais-state" },
      encoding: "utf8",
      // What it would never come back from cannot be asked to end either.
      timeout: 60_000,
      killSignal: "SIGKILL",
    });
    expect({ args, status }).toEqual({ args, status: 11 });
    expect(stderr).toMatch(
      /^blocked .+ The state directory \/proc\/relais-state.+ cannot be used: .+\nNext: .+XDG_STATE_HOME.+\n$/,
    );
  }
});
