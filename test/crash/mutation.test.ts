/** Signals and crashes while mutations of a change are tried, with the real executable. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { living, startTick, stubborn, until, useSite } from "./running.ts";
import { changedBetween, type Isolation, type Site } from "./site.ts";

/** On a mutation, the check writes and never ends. */
const CHECK =
  'grep -q ok src/x.ts && { ! test -e src/new/deep.ts || grep -q true src/new/deep.ts || exec sh "$HOME/../stubborn.sh"; }';

async function mutatedSite(isolation: Isolation): Promise<Site> {
  const site = await useSite("accepted", {
    isolation,
    sandbox: "off",
    review: { mutation: "note" },
    verification: { templates: [{ id: "check", cmd: "sh", args: ["-c", CHECK] }] },
  });
  writeFileSync(join(site.box, "stubborn.sh"), stubborn(site));
  return site;
}

/** Waits until a mutation is tried, and answers with the processes of its check. */
async function untilMutated({ box }: Site): Promise<readonly number[]> {
  const file = join(box, "pids");
  const pids = (): number[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
  onTestFinished(() => living(pids()).forEach((pid) => process.kill(pid, "SIGKILL")));
  await until(() => pids().length === 2);
  return pids();
}

const listLeft = (site: Site): readonly string[] =>
  readdirSync(site.state() ?? "").filter((name) => name === "places" || name.startsWith("relais-"));

test.each(["in_place", "overlay", "clone"] as const)(
  "a relais that is killed while a mutation is tried (%s) is recovered, and nothing of it is left",
  async (isolation) => {
    const site = await mutatedSite(isolation);
    const before = site.look();
    const running = startTick(site);
    const pids = await untilMutated(site);
    running.child.kill("SIGKILL");
    expect(await running.end).toBe("SIGKILL");
    const doctor = await site.relais(["doctor"]);
    expect(doctor.stdout).toMatch(/of\s+an\s+ended\s+tick\s+is\s+left:[^!]*relais-\d/);
    const recovered = await site.relais(["recover", "--json"]);
    expect(JSON.parse(recovered.stdout)).toMatchObject({ kind: "recovered" });
    expect(living(pids)).toEqual([]);
    expect(listLeft(site)).toEqual([]);
    expect(site.journal()).not.toContain('"mutated"');
    expect(changedBetween(before, site.look())).toEqual([]);
  },
);

test("a signal while a mutation is tried ends the tick, and everything is put back", async () => {
  const site = await mutatedSite("in_place");
  const before = site.look();
  const running = startTick(site);
  const pids = await untilMutated(site);
  running.child.kill("SIGTERM");
  expect(await running.end).toBe(143);
  expect(living(pids)).toEqual([]);
  const report: unknown = JSON.parse(readFileSync(join(site.root, "relais/REPORT.json"), "utf8"));
  expect(report).toMatchObject({ code: "STOP_INTERRUPTED", cause: "sigterm" });
  expect(listLeft(site)).toEqual([]);
  expect(changedBetween(before, site.look())).toEqual([]);
});
