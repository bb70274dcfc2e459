/** Signals and crashes while reviewers are at work, with the real executable. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { living, startTick, stubborn, untilStubborn, useSite } from "./running.ts";
import { changedBetween, type Site, taskOf } from "./site.ts";

const APPROVE = {
  do: "result",
  content: { decision: "approve", explanation: "Fine.", reasons: [] },
};

/** A site whose tick is reviewed by somebody who does this. */
async function reviewedSite(kind: "accepted" | "committed", steps: (site: Site) => readonly object[]) {
  const site = await useSite(kind, { review: { reviewers: ["risk"] } });
  const task: unknown = taskOf("ok");
  const text = JSON.stringify(task, (key, value: unknown) => {
    if (key !== "instructions" || typeof value !== "string") return value;
    return JSON.stringify({ ...JSON.parse(value), reviewers: { risk: steps(site) } });
  });
  writeFileSync(join(site.box, "task.json"), text);
  return site;
}

const stubbornSteps = (site: Site) => [
  { do: "ignore", signals: ["SIGINT", "SIGTERM", "SIGHUP"] },
  { do: "run", argv: ["sh", "-c", stubborn(site)], may_fail: true },
];

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a reviewer that ignores signals and writes, and puts everything back", async (signal, status) => {
  const site = await reviewedSite("accepted", stubbornSteps);
  const before = site.look();
  const running = startTick(site);
  const pids = await untilStubborn(site);
  running.child.kill(signal);
  expect(await running.end).toBe(status);
  expect(living(pids)).toEqual([]);
  const report: unknown = JSON.parse(readFileSync(join(site.root, "relais/REPORT.json"), "utf8"));
  expect(report).toMatchObject({ code: "STOP_INTERRUPTED", cause: signal.toLowerCase(), review: null });
  expect(changedBetween(before, site.look())).toEqual([]);
});

test.each(["accepted", "committed"] as const)(
  "a relais that is killed during a review (%s) is recovered: reviewers gone, everything put back, the call counted",
  async (kind) => {
    const site = await reviewedSite(kind, stubbornSteps);
    const before = site.look();
    const running = startTick(site);
    const pids = await untilStubborn(site);
    running.child.kill("SIGKILL");
    expect(await running.end).toBe("SIGKILL");
    const blocked = await site.relais(["run", "--json", "--task", join(site.box, "task.json")]);
    expect(JSON.parse(blocked.stdout)).toMatchObject({ code: "BLOCKED_CRASH_RECOVERY_REQUIRED" });
    const recovered = await site.relais(["recover", "--json"]);
    expect(JSON.parse(recovered.stdout)).toMatchObject({ kind: "recovered" });
    expect(living(pids)).toEqual([]);
    expect(changedBetween(before, site.look())).toEqual([]);
    const state: unknown = JSON.parse(readFileSync(join(site.root, "relais/STATE.json"), "utf8"));
    expect(state).toMatchObject({ last_code: "STOP_INTERRUPTED", budgets: { reviewer_calls: 1 } });
  },
);

test("a relais that is killed once the reviewers have approved commits nothing", async () => {
  const site = await reviewedSite("committed", () => [APPROVE]);
  const before = site.look();
  await site.relais(["run", "--task", join(site.box, "task.json")], {
    at: "/reviewer-risk.decision",
    when: "after",
  });
  expect(site.journal()).toContain('"review_started"');
  expect(site.journal()).not.toContain('"settled"');
  const recovered = await site.relais(["recover", "--json"]);
  expect(JSON.parse(recovered.stdout)).toMatchObject({ kind: "recovered" });
  expect(changedBetween(before, site.look())).toEqual([]);
});
