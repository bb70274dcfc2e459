import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends a judgement, its git and its temporary folder, with status %i", async (signal, status) => {
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
  await expect.poll(() => existsSync(mark) && readFileSync(mark, "utf8") !== "", { timeout: 20_000 }).toBe(true);
  const sleeper = Number(readFileSync(mark, "utf8"));
  child.kill(signal);
  expect(await once(child, "close")).toEqual([status, null]);
  expect(JSON.parse(said)).toMatchObject({
    code: "STOP_INTERRUPTED",
    message: "git add could not be measured: was stopped",
  });
  expect(readdirSync(temporary)).toEqual([]);
  await expect.poll(() => isGone(sleeper), { timeout: 10_000 }).toBe(true);
});

test.each([
  ["SIGUSR1 does not open an inspector", {}],
  ["an inspector that was asked for is closed", { NODE_OPTIONS: "--inspect=127.0.0.1:0" }],
])("%s, through which a builder could decide what is said", async (_, variables) => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const programs = scratchFolder();
  const mark = join(programs, "waiting");
  const slow = `case " $* " in *" add "*) : > ${mark}; while [ -e ${mark} ]; do sleep 0.05; done;; esac`;
  writeFileSync(join(programs, "git"), `#!/bin/sh\n${slow}\nPATH=\${PATH#*:}\nexec git "$@"\n`, {
    mode: 0o755,
  });
  const child = spawn(process.execPath, [executable, "judge", "--json"], {
    cwd: root,
    env: {
      ...gitEnvironment(root),
      PATH: `${programs}${delimiter}${process.env["PATH"]}`,
      ...variables,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
  const opened = said.length;
  child.kill("SIGUSR1");
  await delay(500);
  expect(said.slice(opened)).toBe("");
  const ports = [...said.matchAll(/ws:\/\/127\.0\.0\.1:(?<port>\d+)\//g)].map(({ groups }) => groups?.["port"]);
  expect(ports).toHaveLength("NODE_OPTIONS" in variables ? 1 : 0);
  for (const port of ports) await expect(fetch(`http://127.0.0.1:${port}/json`)).rejects.toThrow("fetch failed");
  rmSync(mark);
  expect(await once(child, "close")).toEqual([0, null]);
});

function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true;
  }
}
