/**
 * The tick driver: hostile, sloppy and honest attacks, each in a whole tick of the executable. It must end with the code that
 * the attack's comment names; the walker must find the repository as it was, or with exactly the change that was expected,
 * and nothing else anywhere; nothing may be left running; and the card must say what nobody could prevent.
 *
 * Each attack has one tick. Its user, and its place and sandbox of those that this machine has, are drawn by the seed of the
 * landing; where it is not in place without a sandbox, the attack may also have had no effect. Of every class `npm test`
 * takes one, and `RELAIS_TABLES=all` all of them.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { CODES } from "../../src/base/codes.ts";
import { BUILDER_CLASSES } from "../../src/drill/pure/builder-class.ts";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { drawOfEach, LANDING_SEED, REPEAT, shuffle } from "../support/landing-seed.ts";
import { PART } from "../support/part-of.ts";
import { executable } from "../support/relais.ts";
import { type User, USERS } from "../support/user-driver.ts";
import { discoverAttacks, isForTick } from "./discover.ts";
import { playTicks } from "./play-ticks.ts";
import { nameSetting } from "./setting.ts";
import type { TickReport } from "./tick-driver.ts";

const PATIENCE_MS = 1_800_000;
const attacks = discoverAttacks().filter(isForTick);
const shipped = attacks.filter(({ isShipped }) => isShipped);
const outings = USERS.map((user) => ({ user, part: choosePart().filter((attack) => chooseUser(attack) === user) }));
const reports = new Map<string, TickReport>();

function choosePart(): readonly HostileBuilder[] {
  if (PART === "all") return attacks;
  const sample = drawOfEach(attacks, { kindOf: (attack) => attack.class, count: 1, topic: "ticks" });
  return PART === "sample" ? sample : attacks.filter((attack) => !sample.includes(attack));
}

/** Drawn of those that can run it. */
function chooseUser({ id, needs }: HostileBuilder): User | undefined {
  const isForRoot = ["root", "chattr", "mount"].includes(needs);
  const able = USERS.filter(({ uid }) => (isForRoot ? uid === 0 : needs !== "user" || uid !== 0));
  return shuffle(able.length > 0 ? able : USERS, `the user of ${id}`)[0];
}

beforeAll(async () => {
  await Promise.all(
    outings.map(({ user, part: builders }) =>
      playTicks({
        executable,
        builders,
        user,
        setting: { seed: LANDING_SEED },
        onReport: (report) => reports.set(report.id, report),
      }),
    ),
  );
  process.stdout.write(describeDraw());
}, PATIENCE_MS);

/** How many ticks each user had in each place. */
function describeDraw(): string {
  const lines = outings.flatMap(({ user, part }) => {
    const places = part.flatMap(({ id }) => {
      const report = reports.get(id);
      return report === undefined || report.skipped !== null ? [] : [nameSetting(report.setting)];
    });
    return [...new Set(places)]
      .toSorted()
      .map((place) => `${place}, as ${user.name}: ${places.filter((one) => one === place).length}`);
  });
  return [`Attacks in whole ticks, drawn by ${REPEAT}:`, ...lines].join("\n").concat("\n");
}

test("every class that `relais drill` brings has builders, and it brings no other", () => {
  const counts = BUILDER_CLASSES.map((name) => shipped.filter((builder) => builder.class === name).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  expect(shipped.length).toBeGreaterThanOrEqual(270);
  expect(shipped.filter((builder) => !new Set<string>(BUILDER_CLASSES).has(builder.class))).toEqual([]);
  expect(discoverAttacks().filter(({ isShipped, kind }) => isShipped && kind !== "stage")).toEqual([]);
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
  const expected = new Set(shipped.flatMap((builder) => builder.expect));
  const stops = Object.entries(CODES).flatMap(([code, { verdict }]) => (verdict === "stop" ? [code] : []));
  expect(stops.filter((code) => !expected.has(code)).toSorted()).toEqual(Object.keys(NOT_BY_A_BUILDER).toSorted());
  expect(attacks.flatMap(({ expect: codes }) => codes).filter((code) => !Object.hasOwn(CODES, code))).toEqual([]);
});

describe.each(outings)("as $user.name", ({ user, part }) => {
  test.for(part)("$id: $does", ({ id }, { skip }) => {
    const report = reports.get(id);
    if (report === undefined) throw new Error("the driver said nothing about it");
    // The reason is shown in the report of the tests.
    if (report.skipped !== null) skip(report.skipped);
    expect(report.complaints, `${nameSetting(report.setting)}, as ${user.name}; ${REPEAT} draws it again`).toEqual([]);
  });
});
