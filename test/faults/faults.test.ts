/** Faults of the disk after which something was lost or left behind once; `npm run test:faults` tries every class of calls. */
import { expect, test } from "vitest";
import { useSite } from "../crash/running.ts";
import { listIsolations } from "../support/isolations.ts";
import { choosePositions, nameCall } from "./choose-positions.ts";
import { compileLibrary, type Fault } from "./fault-library.ts";
import { meetFault, surveyCalls } from "./faulty-tick.ts";

const library = compileLibrary();
const hasOverlay = (await listIsolations()).includes("overlay");

const FOUND = [
  {
    shows: "a store that could not be made is made by the next tick",
    kind: "accepted",
    isolation: "in_place",
    call: "judge.git/objects/pack",
    fault: { error: "ENOSPC", mode: "once" },
  },
  {
    shows: "a change that was merged before the disk broke is reverted by recovery",
    kind: "committed",
    isolation: hasOverlay ? "overlay" : "clone",
    call: "/place/repo/.git/",
    fault: { error: "EIO", mode: "dead" },
  },
  {
    shows: "work that could not be saved before its rollback began is in salvage after recovery",
    kind: "rolled-back",
    isolation: "in_place",
    call: "/judge.git/refs/relais/salvage/",
    fault: { error: "ENOSPC", mode: "full" },
  },
] as const;

/** Skipped where there is no C compiler: `compileLibrary` says so. */
test.skipIf("missing" in library).each(FOUND)(
  "$shows",
  async ({ kind, isolation, call, fault }) => {
    const path = "path" in library ? library.path : "";
    const site = await useSite(kind, { isolation, sandbox: "off" });
    const calls = await surveyCalls(path, site, "tick");
    const at = calls.findIndex((one) => one.includes(call)) + 1;
    const met: Fault = { ...fault, at };
    const { call: failed, outcome, failures } = await meetFault(path, site, { fault: met, deed: "tick" });
    expect(failures).toEqual([]);
    expect(outcome).toBe("reverted");
    expect(failed).not.toBeNull();
  },
  300_000,
);

test("the first call of each class is chosen, whatever ids, hashes and numbers its path has", () => {
  expect(nameCall("git write /s/objects/8b/5f24c13cedc06b4648")).toBe("git write /s/objects/*/*");
  const calls = ["node mkdir /a/1f", "node mkdir /a/2f", "git mkdir /a/3f", "node write /b-1", "node write /b-2"];
  expect(new Set(choosePositions(calls))).toEqual(new Set([1, 3, 4]));
});
