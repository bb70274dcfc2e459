/** SIGINT, SIGTERM and SIGHUP, in every phase of a tick of the real executable. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { living, makeBuilderStubborn, resume, startTick, stubborn, until, untilStubborn, useSite } from "./running.ts";
import { configOf, changedBetween, type Site } from "./site.ts";

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
const CHECK_ARGS = ["-c", ". ./../../check.sh"];
const stubbornCheck = { verification: { templates: [{ id: "check", cmd: "sh", args: CHECK_ARGS }] } };

/** Said at once, in one line, and nothing else is. */
const STOPPING = expect.stringMatching(
  /^relais: stopping \(SIG[A-Z]+\): .+ A second signal stops at once; then run `relais recover`\.\n$/,
);

function report({ root }: Site): unknown {
  return JSON.parse(readFileSync(join(root, "relais/REPORT.json"), "utf8"));
}

function locks({ root, state }: Site): readonly string[] {
  const paths = [join(root, "relais/lock.json"), join(state() ?? root, "lock.json")];
  return paths.filter((path) => existsSync(path));
}

/** Pauses relais at the first call about `text`, sends the signal, and lets it go on. */
async function signalAt(site: Site, text: string, signal: NodeJS.Signals) {
  const mark = join(site.box, "mark");
  const running = startTick(site, { at: text, when: "pause", mark });
  await until(() => existsSync(mark));
  running.child.kill(signal);
  resume(mark);
  return { status: await running.end, stderr: running.stderr() };
}

for (const [signal, status] of SIGNALS) {
  const cause = signal.toLowerCase();

  test.each([
    ["preflight", "/journal.jsonl"],
    ["prepare", "/observation"],
    ["the start of the build", "/TASK.json"],
    ["judge", "/evidence.json"],
    ["the start of verify", "/verify.log"],
  ])(`${signal} in %s puts everything back`, async (_phase, text) => {
    const site = await useSite("accepted");
    const before = site.look();
    expect(await signalAt(site, text, signal)).toEqual({ status, stderr: STOPPING });
    expect(report(site)).toMatchObject({ verdict: "stop", code: "STOP_INTERRUPTED", cause });
    expect(changedBetween(before, site.look())).toEqual([]);
    expect(locks(site)).toEqual([]);
    expect(JSON.parse((await site.relais(["recover", "--json"])).stdout)).toMatchObject({ kind: "nothing" });
  });

  test.each([
    ["builder", {}, makeBuilderStubborn],
    ["check", stubbornCheck, (site: Site) => writeFileSync(join(site.box, "check.sh"), stubborn(site))],
  ] as const)(
    `${signal} ends a %s that ignores signals and detaches, and puts everything back`,
    async (_name, config, prepare) => {
      const site = await useSite("accepted", config);
      prepare(site);
      const before = site.look();
      const running = startTick(site);
      const pids = await untilStubborn(site);
      running.child.kill(signal);
      expect(await running.end).toBe(status);
      expect(running.stderr()).toEqual(STOPPING);
      expect(living(pids)).toEqual([]);
      expect(report(site)).toMatchObject({ code: "STOP_INTERRUPTED", cause });
      expect(changedBetween(before, site.look())).toEqual([]);
      expect(locks(site)).toEqual([]);
    },
  );

  test.each([
    ["accepting", "accepted", "/accepted/"],
    ["committing", "committed", "/accepted/"],
    ["moving the branch", "committed", "update-ref"],
    ["reporting", "accepted", "/repo/relais/history"],
    ["publishing", "committed", "/repo/relais/STATE.json"],
  ] as const)(`${signal} while %s waits, and the change is kept`, async (_phase, kind, text) => {
    const site = await useSite(kind);
    expect(await signalAt(site, text, signal)).toEqual({ status, stderr: STOPPING });
    expect(report(site)).toMatchObject({ code: "SUCCESS" });
    expect(locks(site)).toEqual([]);
    expect(readFileSync(join(site.root, "src/x.ts"), "utf8")).toBe("ok\n");
    expect(site.git("status", "--porcelain") === "").toBe(kind === "committed");
  });

  test.each([
    ["keeping salvage", "/salvage/"],
    ["putting back", "/.git/hooks/"],
  ])(`${signal} while %s waits, and everything is put back`, async (_phase, text) => {
    // Otherwise the check before the build is the first whose traces are put back.
    const verification = { ...configOf("rolled-back").verification, baseline: "off" };
    const site = await useSite("rolled-back", { verification });
    const before = site.look();
    expect(await signalAt(site, text, signal)).toEqual({ status, stderr: STOPPING });
    expect(report(site)).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST" });
    expect(locks(site)).toEqual([]);
    expect(changedBetween(before, site.look())).toEqual([]);
  });

  test(`${signal} while the traces of a check before the build are put back ends the tick`, async () => {
    const site = await useSite("rolled-back");
    const before = site.look();
    expect(await signalAt(site, "/.git/hooks/", signal)).toEqual({ status, stderr: STOPPING });
    expect(report(site)).toMatchObject({ code: "STOP_INTERRUPTED" });
    expect(locks(site)).toEqual([]);
    expect(changedBetween(before, site.look())).toEqual([]);
  });
}

test.each([
  ["preflight", "/journal.jsonl"],
  ["judge", "/evidence.json"],
])("SIGHUP in %s, as of a terminal that is closed, puts everything back too", async (_phase, text) => {
  const site = await useSite("accepted");
  const before = site.look();
  expect(await signalAt(site, text, "SIGHUP")).toEqual({ status: 129, stderr: STOPPING });
  expect(report(site)).toMatchObject({ verdict: "stop", code: "STOP_INTERRUPTED", cause: "sighup" });
  expect(changedBetween(before, site.look())).toEqual([]);
  expect(locks(site)).toEqual([]);
});

/** A filter of the repository that never ends, and a file that git cannot tell unchanged without it. */
function makeFilterEndless({ box, root, git }: Site): string {
  const mark = join(box, "pids");
  writeFileSync(join(root, ".git/info/attributes"), "src/x.ts filter=slow\n");
  git("config", "filter.slow.clean", "sed s/^/stored/");
  git("add", "--renormalize", "src/x.ts");
  git("commit", "--quiet", "--message", "filtered");
  git("config", "filter.slow.clean", `setsid sh -c 'echo $$ > ${mark}; sleep 600'`);
  utimesSync(join(root, "src/x.ts"), 1, 1);
  return mark;
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s while git waits for a filter is the cause, and ends the filter", async (signal, status) => {
  const site = await useSite("accepted");
  const mark = makeFilterEndless(site);
  const running = startTick(site);
  await until(() => existsSync(mark) && readFileSync(mark, "utf8") !== "");
  running.child.kill(signal);
  expect(await running.end).toBe(status);
  expect(running.stderr()).toEqual(STOPPING);
  expect(living([Number(readFileSync(mark, "utf8"))])).toEqual([]);
  expect(report(site)).toMatchObject({ code: "STOP_INTERRUPTED", cause: signal.toLowerCase() });
  expect(locks(site)).toEqual([]);
});

test("a git that outlived a killed relais is ended by recovery", async () => {
  const site = await useSite("accepted");
  const mark = makeFilterEndless(site);
  const running = startTick(site);
  await until(() => existsSync(mark) && readFileSync(mark, "utf8") !== "");
  const pid = Number(readFileSync(mark, "utf8"));
  running.child.kill("SIGKILL");
  await running.end;
  expect(living([pid])).toEqual([pid]);
  site.git("config", "--unset", "filter.slow.clean");
  expect((await site.relais(["recover"])).status).toBe(0);
  expect(living([pid])).toEqual([]);
});

test("a reader that goes away does not keep a tick from its end", async () => {
  const site = await useSite("committed");
  const args = [executable, "run", "--task", join(site.box, "task.json")];
  const child = spawn(process.execPath, args, {
    cwd: site.root,
    env: site.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(report(site)).toMatchObject({ code: "SUCCESS" });
  expect(site.git("log", "-1", "--format=%B")).toContain("Relais-Code: SUCCESS");
  expect(locks(site)).toEqual([]);
});

test("a signal before the tick has begun leaves nothing behind", async () => {
  const site = await useSite("accepted");
  const before = site.look();
  expect(await signalAt(site, "--show-origin", "SIGINT")).toMatchObject({ status: 130 });
  expect(changedBetween(before, site.look())).toEqual([]);
  expect(locks(site)).toEqual([]);
  expect(site.journal()).toBe("");
});

test.each([
  ["SIGINT", "SIGINT"],
  ["SIGINT", "SIGTERM"],
  ["SIGTERM", "SIGINT"],
] as const)("%s and then %s ends relais at once, and recovery does the rest", async (first, second) => {
  const site = await useSite("accepted");
  makeBuilderStubborn(site);
  const before = site.look();
  const running = startTick(site);
  const pids = await untilStubborn(site);
  running.child.kill(first);
  await delay(300);
  running.child.kill(second);
  expect(await running.end).toBe(second);
  expect(living(pids)).toHaveLength(2);
  expect((await site.relais(["recover"])).status).toBe(0);
  expect(living(pids)).toEqual([]);
  expect(changedBetween(before, site.look())).toEqual([]);
});
