import { join } from "node:path";
import { expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { useSite } from "./running.ts";
import { changedBetween } from "./site.ts";
import { strikeSample } from "./strike-sample.ts";

const KINDS = ["committed", "undecided", "held", "rolled-back", "landed"] as const;
const OF_ALL = (await listIsolations()).flatMap((isolation) => KINDS.map((kind) => [kind, isolation] as const));

test.each(OF_ALL)(
  "a tick that is %s, %s, can be killed anywhere and is recovered",
  async (kind, isolation) => {
    await expect(strikeSample(kind, isolation)).resolves.toBeUndefined();
  },
  600_000,
);

test("a recovery asks nobody about the file that a killed rollback was writing", async () => {
  const site = await useSite("undecided");
  const before = site.look();
  const strike = { at: `${site.root}/src/.relais-`, when: "torn" } as const;
  const task = ["run", "--task", join(site.box, "task.json")];
  expect(await site.relais(task, strike)).toMatchObject({ signal: "SIGKILL" });
  expect(site.git("status", "--porcelain")).toContain("?? src/.relais-");
  expect(await site.relais(["recover"])).toMatchObject({ status: 0 });
  expect(changedBetween(before, site.look())).toEqual([]);
}, 120_000);
