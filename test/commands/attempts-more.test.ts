import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { attemptWorld, listLeft, listProcesses } from "../support/attempt-world.ts";
import { executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import type { TickRepository } from "../support/tick-repository.ts";

test("where none passes, everything is reverted and the card says how each ended", async () => {
  const repository = attemptWorld("case $n in 1) echo bad > src/x.ts;; *) echo no > outside.ts;; esac");
  const { status, stdout } = await repository.relais("run", "make it new", "--attempts", "2");
  expect(status).toBe(10);
  expect(stdout).toMatch(/attempts +2, none passed/);
  expect(stdout).toMatch(/1 command +STOP_VERIFY_FAILED_SLOW/);
  expect(repository.git("status", "--porcelain")).toBe("");
  expect((await repository.relais("salvage")).stdout.trim().split("\n")).toHaveLength(2);
  expect(listLeft(repository)).toEqual([]);
});

/** Builds, and votes as a reviewer: both approve of the second attempt, one of the first. */
const BUILDS_AND_VOTES = `
if [ "$RELAIS_ROLE" = builder ]; then i=$n; : > src/x.ts; while [ "$i" -gt 0 ]; do echo new >> src/x.ts; i=$((i - 1)); done; exit 0; fi
word=approve; [ "$n$RELAIS_REVIEWER" = 1risk ] && word=refuse
printf '{"decision":"%s","explanation":"Looked.","reasons":["r"]}' "$word" > "$RELAIS_RESULT_PATH"`;

test("more votes win over a smaller change, and all sessions count", async () => {
  const review = { reviewers: ["completion", "risk"], quorum: 1 };
  const repository = attemptWorld(BUILDS_AND_VOTES, { review });
  const { status, document } = await repository.ask("run", "make it new", "--attempts", "2");
  expect({ status, document }).toMatchObject({
    status: 0,
    document: {
      attempts: {
        chosen: 2,
        rule: "votes",
        list: [
          { votes: { approved: 1, total: 2 }, lines: 2 },
          { votes: { approved: 2, total: 2 }, lines: 3 },
        ],
      },
      budgets: { builder_calls: 2, reviewer_calls: 4 },
    },
  });
});

test("what --attempts does not go with is refused before anybody is paid", async () => {
  const repository = attemptWorld("echo new > src/x.ts");
  const refused = async (...args: string[]) => (await repository.relais("run", ...args)).stderr;
  expect(await refused("--attempts", "2")).toMatch(/needs a sentence, --file or --task/);
  expect(await refused("new", "--agent", "command,codex")).toMatch(/say how many attempts/);
  expect(await refused("new", "--attempts", "2", "--agent", "command,nobody")).toMatch(/not "nobody"/);
  const budget = attemptWorld("echo new > src/x.ts", { budgets: { per_milestone: { max_builder_calls: 2 } } });
  const { stderr, stdout } = await budget.relais("run", "new", "--attempts", "3");
  expect(`${stderr}${stdout}`).toMatch(/builder_calls of this milestone: 0 of 2 used, and 3 may be needed/);
  const inPlace = attemptWorld("echo new > src/x.ts", { isolation: "in_place" });
  expect((await inPlace.relais("run", "new", "--attempts", "2")).stderr).toMatch(/need places of their own/);
});

/** Starts attempts whose builders never end, and waits until all of them are at work. */
async function startAttempts(repository: TickRepository, count: number) {
  const { box, root } = repository;
  const env = { ...gitEnvironment(box), XDG_STATE_HOME: join(box, "state") };
  const args = [executable, "run", "make it new", "--attempts", String(count)];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "ignore" });
  const ended = once(child, "exit");
  for (let n = 1; n <= count; n++) while (!existsSync(join(box, `at-${n}`))) await delay(50);
  return { child, ended };
}

const ENDLESS = 'touch "$(dirname "$0")/at-$n"; while :; do sleep 0.2; done';

test.each(["SIGINT", "SIGTERM"] as const)("%s ends all attempts, and nothing is left", async (signal) => {
  const repository = attemptWorld(ENDLESS, { sandbox: "off" });
  const { child, ended } = await startAttempts(repository, 2);
  child.kill(signal);
  await ended;
  expect(listProcesses(repository)).toEqual([]);
  expect(listLeft(repository)).toEqual([]);
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("attempts end with the relais that started them, and recover removes their folders", async () => {
  const repository = attemptWorld(ENDLESS, { sandbox: "off" });
  const { child, ended } = await startAttempts(repository, 2);
  child.kill("SIGKILL");
  await ended;
  for (let tries = 0; listProcesses(repository).length > 0 && tries < 200; tries++) await delay(50);
  expect(listProcesses(repository)).toEqual([]);
  expect((await repository.relais("recover")).status).toBe(0);
  expect(listLeft(repository)).toEqual([]);
  expect(repository.git("status", "--porcelain")).toBe("");
});
