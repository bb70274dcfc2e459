/** The attacks on the overlay and the sandbox themselves, in the overlay, with and without the sandbox. */
import { expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { executable } from "../support/relais.ts";
import { USERS } from "../support/user-driver.ts";
import { hasBubblewrap } from "../support/without-sandbox.ts";
import { discoverAttacks } from "./discover.ts";
import { playTicks } from "./play-ticks.ts";

const builders = discoverAttacks().filter((attack) => attack.class === "place");
const outings = USERS.flatMap((user) =>
  (["off", "auto"] as const).map((sandbox) => ({ user, setting: { isolation: "overlay", sandbox } as const })),
);
const hasOverlay = (await listIsolations()).includes("overlay");

test.for(outings)(
  "as $user.name, sandbox $setting.sandbox, none escapes",
  { timeout: 600_000 },
  async ({ user, setting }, { skip }) => {
    if (!hasOverlay) skip("needs overlay mounts");
    if (setting.sandbox === "auto" && !hasBubblewrap()) skip("needs bubblewrap");
    const reports = await playTicks({ executable, builders, user, setting });
    expect(reports.size).toBe(builders.length);
    expect([...reports.values()].flatMap(({ id, complaints }) => complaints.map((one) => `${id}: ${one}`))).toEqual([]);
  },
);
