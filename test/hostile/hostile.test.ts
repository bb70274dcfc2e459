/**
 * Hostile, sloppy and honest builders, each in a whole tick of the executable. It must end with the code that the
 * builder's comment names; the walker must find the repository as it was, or with exactly the change that was expected,
 * and nothing else anywhere; nothing may be left running; and the card must say what nobody could prevent.
 *
 * Each user has another fifth of them here, of which `npm test` takes a part. `npm run test:full -- hostile` takes all
 * of them.
 */
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { CODES } from "../../src/contract/values/codes.ts";
import { PART, partOf } from "../support/part-of.ts";
import { executable } from "../support/relais.ts";
import { USERS } from "../support/user-driver.ts";
import { discoverBuilders } from "./builder.ts";
import { BUILDER_CLASSES } from "../../src/core/drill/builder-class.ts";
import type { HostileBuilder } from "../../src/core/drill/hostile-builder.ts";
import type { HostileReport } from "./driver.ts";
import { letLoose } from "./let-loose.ts";
import { sampleFor } from "./sample.ts";
import { PLAIN } from "./setting.ts";

const PATIENCE_MS = 600_000;
const builders = discoverBuilders(resolve("drill"));
const SAMPLING = { kindOf: (builder: HostileBuilder) => builder.class, oneIn: 40 };
const outings = USERS.map((user, turn) => ({
  user,
  sample: partOf(sampleFor(builders, turn), SAMPLING),
}));
const reports = new Map<string, ReadonlyMap<string, HostileReport>>();

beforeAll(async () => {
  await Promise.all(
    outings.map(async ({ user, sample }) =>
      reports.set(user.name, await letLoose({ executable, builders: sample, user, setting: PLAIN })),
    ),
  );
}, PATIENCE_MS);

test("every class has builders, and every class is in each sample", () => {
  const counts = BUILDER_CLASSES.map((name) => builders.filter((builder) => builder.class === name).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  expect(builders.length).toBeGreaterThanOrEqual(150);
  for (const { sample } of PART === "rest" ? [] : outings)
    expect([...new Set(sample.map((builder) => builder.class))].toSorted()).toEqual([...BUILDER_CLASSES].toSorted());
});

/** Why no builder can bring a tick to this end. */
const NOT_BY_A_BUILDER: Readonly<Record<string, string>> = {
  STOP_QUESTION: "a question has no builder",
  STOP_QUESTION_SIDE_EFFECTS: "a question has no builder",
  STOP_PATCH_INVALID: "a task that carries a patch has no builder that is a program",
  STOP_PATCH_APPLY_FAILED: "a task that carries a patch has no builder that is a program",
  STOP_MAIN_TREE_CHANGED: "builders work in the main tree",
  STOP_NO_PROGRESS: "it takes two ticks",
  STOP_REVIEW_REFUSED: "nobody reviews",
  STOP_REJECTED: "no person is asked",
  STOP_UNDECIDED: "no person is asked",
  STOP_GUARD_FAILED: "there is no guard",
  STOP_RATE_LIMITED: "no service is asked",
  STOP_BREAKER: "it takes a series",
  STOP_PROOF_MISSING: "only a judgement asks for proofs",
};

test("every code that a builder can bring about is expected of one", () => {
  const expected = new Set(builders.map((builder) => builder.expect));
  const stops = Object.entries(CODES).flatMap(([code, { verdict }]) => (verdict === "stop" ? [code] : []));
  expect(stops.filter((code) => !expected.has(code)).toSorted()).toEqual(Object.keys(NOT_BY_A_BUILDER).toSorted());
  expect([...expected].filter((code) => !Object.hasOwn(CODES, code))).toEqual([]);
});

describe.each(outings)("as $user.name", ({ user, sample }) => {
  test.for(sample)("$id: $does", ({ id }, { skip }) => {
    const report = reports.get(user.name)?.get(id);
    if (report === undefined) throw new Error("the driver said nothing about it");
    // The reason is shown in the report of the tests.
    if (report.skipped !== null) skip(report.skipped);
    expect(report.complaints).toEqual([]);
  });
});
