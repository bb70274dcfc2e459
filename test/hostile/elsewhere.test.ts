/**
 * A few builders of every class as users get them: in an overlay, in the sandbox. What they try is found or has no
 * effect. `npm run test:full -- hostile` takes all of them in all settings.
 */
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { USERS } from "../support/user-driver.ts";
import { discoverBuilders } from "./builder.ts";
import { BUILDER_CLASSES } from "../../src/core/drill/builder-class.ts";
import type { HostileReport } from "./driver.ts";
import { letLoose } from "./let-loose.ts";

const PATIENCE_MS = 600_000;
const builders = discoverBuilders(resolve("drill"));
/** Each user has others: half of the classes each, with one builder. */
const outings = USERS.map((user, turn) => ({
  user,
  sample: BUILDER_CLASSES.filter((_, place) => place % USERS.length === turn).flatMap(
    (name) => builders.find((builder) => builder.class === name && builder.needs === "nothing") ?? [],
  ),
}));
const reports = new Map<string, ReadonlyMap<string, HostileReport>>();

beforeAll(async () => {
  const setting = { isolation: "overlay", sandbox: "auto" } as const;
  await Promise.all(
    outings.map(async ({ user, sample }) =>
      reports.set(user.name, await letLoose({ executable, builders: sample, user, setting })),
    ),
  );
}, PATIENCE_MS);

describe.each(outings)("as $user.name", ({ user, sample }) => {
  test.for(sample)("$id: $does", ({ id }) => {
    const report = reports.get(user.name)?.get(id);
    expect(report?.complaints).toEqual([]);
    expect(["found", "prevented", "passed"]).toContain(report?.outcome);
  });
});
