import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { executable, useExecutable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

useExecutable();

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s ends a judgement, its git and its temporary folder, with status %i",
  async (signal, status) => {
    const { root } = scratchRepository({ "a.txt": "1\n" });
    const programs = scratchFolder();
    const temporary = scratchFolder();
    const mark = join(programs, "pid");
    const slow = `case " $* " in *" add "*) sleep 300 & echo $! > ${mark}; wait;; esac`;
    writeFileSync(join(programs, "git"), `#!/bin/sh\n${slow}\nPATH=\${PATH#*:}\nexec git "$@"\n`, {
      mode: 0o755,
    });
    const child = spawn(process.execPath, [executable, "judge", "--json"], {
      cwd: root,
      env: {
        ...gitEnvironment(root),
        PATH: `${programs}${delimiter}${process.env["PATH"]}`,
        TMPDIR: temporary,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect
      .poll(() => existsSync(mark) && readFileSync(mark, "utf8") !== "", { timeout: 20_000 })
      .toBe(true);
    const sleeper = Number(readFileSync(mark, "utf8"));
    child.kill(signal);
    expect(await once(child, "close")).toEqual([status, null]);
    expect(JSON.parse(said)).toMatchObject({ code: "STOP_INTERRUPTED", message: "git add: was stopped" });
    expect(readdirSync(temporary)).toEqual([]);
    await expect.poll(() => isGone(sleeper), { timeout: 10_000 }).toBe(true);
  },
);

function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true;
  }
}
