/** The hostile builders that nothing but a sandbox could hold. */
import { expect, test } from "vitest";
import { discoverAttacks, isForTick } from "../attacks/discover.ts";
import { playTicks } from "../attacks/play-ticks.ts";
import { executable } from "../support/relais.ts";
import { USERS } from "../support/user-driver.ts";
import { hasBubblewrap } from "../support/without-sandbox.ts";

const builders = discoverAttacks()
  .filter(isForTick)
  .filter(({ needs }) => needs === "sandbox");

test.for(USERS)(
  "as $name, they change nothing around the repository and leave nothing running",
  async (user, { skip }) => {
    if (!hasBubblewrap()) skip("needs bubblewrap");
    const reports = await playTicks({
      executable,
      builders,
      user,
      setting: { isolation: "in_place", sandbox: "auto" },
    });
    expect(reports.size).toBe(builders.length);
    expect([...reports.values()].flatMap(({ id, complaints }) => complaints.map((one) => `${id}: ${one}`))).toEqual([]);
  },
);
