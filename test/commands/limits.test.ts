/** Limits that docs/limits.md admits and that no other attack shows. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { environmentOf, executable, relais, runExecutable } from "../support/relais.ts";
import { tickRepository } from "../support/tick-repository.ts";

const CHANGE = [{ do: "write", path: "src/x.ts", text: "new\n" }];

/** A repository whose builder is this shell script, in a working tree without isolation. */
function world(script: string) {
  const repository = tickRepository({
    config: {
      isolation: "in_place",
      builder: { default_mode: "command", command: { command: "sh", args: ["-c", script] } },
    },
  });
  const env = { HOME: repository.box, XDG_STATE_HOME: join(repository.box, "state") };
  const task = { ...repository.task([]), builder: { mode: "command", max_turns: 1, instructions: "Make x new." } };
  const file = join(repository.box, "task.json");
  writeFileSync(file, JSON.stringify(task));
  return { ...repository, file, options: { cwd: repository.root, env } };
}

test("a new repository at an old path inherits the journal", async () => {
  const { root, git, commit, relais: run, tick } = tickRepository();
  await tick(CHANGE);
  const config = readFileSync(join(root, "relais.config.json"), "utf8");
  rmSync(join(root, ".git"), { recursive: true });
  git("init", "--quiet");
  commit({ "relais.config.json": config });
  expect((await run("history")).stdout).toContain("Make x new");
});

test("a builder that deletes every record and kills relais leaves a changed tree and no verdict", async () => {
  const { root, box, file, options } = world("echo evil > src/x.ts; rm -rf ../state relais; kill -9 $PPID; sleep 1");
  const { status, stdout } = await relais(["run", "--task", file], options);
  expect({ status, stdout }).toEqual({ status: null, stdout: "" });
  await expect.poll(() => existsSync(join(box, "state"))).toBe(false);
  expect(readFileSync(join(root, "src/x.ts"), "utf8")).toBe("evil\n");
  expect((await relais(["status"], options)).stdout).not.toContain("evil");
});

const canMakeUndead = process.getuid?.() === 0 && spawnSync("cc", ["--version"]).status === 0;
const UNDEAD =
  "int setresuid(int, int, int); int sleep(int); int main(void) { return setresuid(0, 0, 0) || sleep(10); }";

/** Root ends everything, so only an ordinary user meets one. */
test.skipIf(!canMakeUndead)("a process that cannot be ended stops the tick", async () => {
  const { box, root, file, options } = world('echo evil > src/x.ts; "$HOME/undead" > /dev/null 2>&1 & sleep 0.3');
  execFileSync("chown", ["-R", "1000:1000", box]);
  execFileSync("cc", ["-x", "c", "-o", join(box, "undead"), "-"], { input: UNDEAD });
  chmodSync(join(box, "undead"), 0o4755);
  const { status, stdout } = await runExecutable(["run", "--task", file], {
    ...options,
    env: { ...environmentOf(options), TMPDIR: box },
    uid: 1000,
  });
  expect({ status, stdout }).toMatchObject({ status: 10, stdout: expect.stringContaining("processes_survived") });
  expect(readFileSync(join(root, "src/x.ts"), "utf8")).not.toContain("evil");
});

test("a builder can halt relais: the lock is held until it is continued, and then the tick ends", async () => {
  const { root, file, options } = world("echo new > src/x.ts; kill -STOP $PPID; echo $PPID > ../stopped; sleep 1");
  const child = spawn(process.execPath, [executable, "run", "--task", file], {
    cwd: root,
    env: { ...environmentOf(options) },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await expect.poll(() => existsSync(join(root, "../stopped")), { timeout: 20_000 }).toBe(true);
  const { status } = await relais(["run", "--task", file], options);
  expect(status).toBe(11);
  await delay(200);
  child.kill("SIGCONT");
  await ended;
  expect((await relais(["status", "--json"], options)).status).toBe(0);
}, 60_000);

test("a builder can set a limit that makes relais fail, and recovery reverts everything", async () => {
  const { root, file, options } = world("echo evil > src/x.ts; prlimit --pid $PPID --nofile=3:3");
  const before = readFileSync(join(root, "src/x.ts"), "utf8");
  const { status } = await relais(["run", "--task", file], options);
  expect(status).not.toBe(0);
  expect(await relais(["recover"], options)).toMatchObject({ status: 0 });
  expect(readFileSync(join(root, "src/x.ts"), "utf8")).toBe(before);
});

test("a builder in place can open the memory of relais where the system lets it", async () => {
  const { box, file, options } = world("echo new > src/x.ts; (exec 3<>/proc/$PPID/mem) && touch ../opened");
  await relais(["run", "--task", file], options);
  const scope = "/proc/sys/kernel/yama/ptrace_scope";
  const isOpen = process.getuid?.() === 0 || !existsSync(scope) || readFileSync(scope, "utf8").trim() === "0";
  expect(existsSync(join(box, "opened"))).toBe(isOpen);
});
