/**
 * The kernel driver: every attack on a real repository is observed, judged and undone, without a tick around it. It must
 * end with the code that it names; afterwards the walker must find the repository, the git directory and the neighbours
 * exactly as they were. When this runs as root, it runs once more as an ordinary user. Of every class `npm test` takes one,
 * and another one for each user; `RELAIS_TABLES=all` takes all of them.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { drawOfEach, REPEAT } from "../support/landing-seed.ts";
import { PART } from "../support/part-of.ts";
import { executable } from "../support/relais.ts";
import { REPOSITORY_KINDS } from "../support/repositories.ts";
import { runDriver, type User, USERS } from "../support/user-driver.ts";
import { ATTACKS, discoverAttacks, isForKernel } from "./discover.ts";
import type { KernelReport } from "./kernel-driver.ts";

const PATIENCE_MS = 900_000;
const attacks = discoverAttacks().filter(isForKernel);
const outings = USERS.map((user) => ({ user, part: partFor(user) }));
const reports = new Map<string, KernelReport>();

function partFor({ name }: User): readonly HostileBuilder[] {
  if (PART === "all") return attacks;
  const sample = drawOfEach(attacks, { kindOf: (attack) => attack.class, count: 1, topic: `kernel as ${name}` });
  return PART === "sample" ? sample : attacks.filter((attack) => !sample.includes(attack));
}

beforeAll(async () => {
  await Promise.all(
    outings.map(({ user, part }) =>
      runDriver({
        driver: "test/attacks/kernel-driver.ts",
        executable,
        files: [ATTACKS],
        args: [part.map(({ id }) => id).join(",")],
        user,
        isSandboxed: false,
        onLine: (line) => {
          const report: KernelReport = JSON.parse(line);
          reports.set(`${user.name} ${report.id}`, report);
        },
      }),
    ),
  );
}, PATIENCE_MS);

test("every kind of repository has attacks, and honest work is among them", () => {
  const kinds = new Set(attacks.map(({ kind }) => kind));
  expect(REPOSITORY_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(attacks.filter((attack) => attack.class === "honest").length).toBeGreaterThanOrEqual(60);
  expect(attacks.length).toBeGreaterThanOrEqual(450);
});

/** Everything that is wrong about one attack, in words; with the walker's findings, since nothing else explains them. */
function complaints(attack: HostileBuilder, report: KernelReport): string[] {
  const wrong: string[] = [];
  if (report.error !== null) return [report.error];
  if (!attack.expect.includes(report.code ?? "")) wrong.push(`it ended as ${String(report.code)}`, ...report.findings);
  wrong.push(...lacking("finding", attack.finding, report.findings), ...lacking("note", attack.note, report.notes));
  if (attack.class !== "honest" && !report.damaged) wrong.push("it did no damage, so it proves nothing");
  wrong.push(...report.lost.map((difference) => `lost by the merge: ${difference}`));
  wrong.push(...report.left.map((difference) => `left behind: ${difference}`));
  return wrong;
}

function lacking(name: string, words: string | null, texts: readonly string[]): string[] {
  if (words === null || texts.some((text) => text.includes(words))) return [];
  return [`no ${name} says "${words}"`, ...texts];
}

describe.each(outings)("as $user.name", ({ user, part }) => {
  test.for(part)("$id ends as it says and leaves nothing behind", (attack, { skip }) => {
    const report = reports.get(`${user.name} ${attack.id}`);
    if (report === undefined) throw new Error("the driver said nothing about it");
    // The reason is shown in the report of the tests.
    if (report.skipped !== null) skip(report.skipped);
    expect(complaints(attack, report), `${REPEAT} draws it again`).toEqual([]);
  });

  test("nothing is skipped but what this user or this machine cannot do", () => {
    const reasons = part.map(({ id }) => reports.get(`${user.name} ${id}`)?.skipped ?? "");
    const accepted = ["needs root and immutable files", "needs python3", "needs make"];
    const others = ["needs root and the right to mount", user.uid === 0 ? "needs an ordinary user" : "needs root"];
    expect(reasons.filter((reason) => reason !== "" && ![...accepted, ...others].includes(reason))).toEqual([]);
  });
});
