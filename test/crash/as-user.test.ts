/** What root may read, an ordinary user may not: the kernel closes folders of an overlay. */
import { expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { executable } from "../support/relais.ts";
import { runDriver, USERS } from "../support/user-driver.ts";
import type { DriverLine } from "./driver.ts";
import type { Crash } from "./strike.ts";

const TICKS = 3;
/** A position or two of each tick, after its builder. */
const STEP = 1_000;
const TURN = 350;
const places = (await listIsolations()).filter((isolation) => isolation !== "in_place");
const outings = places.flatMap((isolation) => USERS.slice(-1).map((user) => ({ isolation, user })));

test.each(outings)(
  "$isolation, as $user.name, a killed tick is recovered",
  async ({ isolation, user }) => {
    const crashes: Crash[] = [];
    await runDriver({
      driver: "test/crash/driver.ts",
      executable,
      files: ["test/crash/kill-at.cjs"],
      args: [isolation, "off", String(STEP), String(TURN)],
      user,
      isSandboxed: false,
      onLine: (text) => {
        const line: DriverLine = JSON.parse(text);
        if ("crash" in line) crashes.push(line.crash);
      },
    });
    expect(crashes.flatMap(({ failures }) => failures)).toEqual([]);
    expect(crashes.length).toBeGreaterThanOrEqual(TICKS);
    expect(crashes.map(({ outcome }) => outcome)).toContain("reverted");
  },
  600_000,
);
