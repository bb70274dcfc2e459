/** The builders that attack the overlay and the sandbox themselves, in the overlay, with and without the sandbox. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { USERS } from "../support/user-driver.ts";
import { discoverBuilders } from "./builder.ts";
import { letLoose } from "./let-loose.ts";

const builders = discoverBuilders(resolve("drill")).filter((builder) => builder.class === "place");
const outings = USERS.flatMap((user) =>
  (["off", "auto"] as const).map((sandbox) => ({ user, setting: { isolation: "overlay", sandbox } as const })),
);

test.each(outings)(
  "as $user.name, sandbox $setting.sandbox, none escapes",
  async ({ user, setting }) => {
    const reports = await letLoose({ executable, builders, user, setting });
    expect(reports.size).toBe(builders.length);
    expect([...reports.values()].flatMap(({ id, complaints }) => complaints.map((one) => `${id}: ${one}`))).toEqual([]);
  },
  600_000,
);
