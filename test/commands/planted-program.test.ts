/** A program that a change put into the repository is never started, wherever the PATH leads. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/relais.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

const COMMANDS = [
  ["doctor"],
  ["status", "--preflight"],
  ["init"],
  ["judge"],
  ["recover"],
  ["run", "Change it", "--agent", "claude"],
  ["loop", "--max-ticks", "1", "--agent", "codex"],
  ["goal", "Be done"],
];

test("with a folder of the repository first on the PATH, none of its programs is started", async () => {
  const { root, box } = scratchRepository({
    "src/a.txt": "1\n",
    "relais/GOAL.md": "Goal.\n",
    "relais.config.json": "{}",
  });
  const bin = join(root, ".venv/bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(root, ".git/info/exclude"), ".venv/\n");
  const trace = join(box, "started");
  for (const name of ["git", "claude", "codex", "tmux", "bwrap", "less", "ssh-keygen", "mkfifo", "mount"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${trace}'\nexit 1\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, XDG_STATE_HOME: join(box, "state") };
  for (const command of COMMANDS) {
    await relais(command, { cwd: root, env });
    const started = existsSync(trace) ? readFileSync(trace, "utf8") : "";
    expect({ command, started }).toEqual({ command, started: "" });
  }
}, 120_000);
