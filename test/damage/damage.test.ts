/**
 * Every program of `programs/` is let loose on a real repository and must end with the code it names; afterwards the
 * walker must find the repository, the git directory and the neighbours exactly as they were. When this runs as root,
 * it runs once more as an ordinary user. The programs run in one process for each user (see `driver.ts`). Of every class
 * `npm test` takes one program at least, and mostly another one for each user.
 */
import { spawn } from "node:child_process";
import { chownSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partOf } from "../support/part-of.ts";
import { REPOSITORY_KINDS } from "../support/repositories.ts";
import type { DamageReport } from "./driver.ts";
import { type Program, discoverPrograms } from "./program.ts";

const PATIENCE_MS = 900_000;
const NOBODY = 65_534;
const folder = join(import.meta.dirname, "programs");
const programs = discoverPrograms(folder);
const SAMPLING = { kindOf: ({ id }: Program) => dirname(id), oneIn: 60 };
const own = process.getuid?.() ?? -1;
const users =
  own === 0
    ? [
        { name: "root", uid: 0, part: partOf(programs, SAMPLING) },
        { name: "an ordinary user", uid: NOBODY, part: partOf(programs.toReversed(), SAMPLING) },
      ]
    : [{ name: "this user", uid: own, part: partOf(programs, SAMPLING) }];
type User = (typeof users)[number];

const reports = new Map<string, DamageReport>();
const works: string[] = [];

/** Everything happens in a folder of that user's own: the programs, the driver, the repositories. */
async function letLoose({ uid, part }: User): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "relais-damage-"));
  works.push(work);
  cpSync(folder, join(work, "programs"), { recursive: true });
  const outfile = join(work, "driver.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "driver.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  if (own === 0) chownSync(work, uid, uid);
  const ids = part.map((program) => program.id).join(",");
  const child = spawn(process.execPath, [outfile, work, ids], {
    ...(own === 0 ? { uid, gid: uid } : {}),
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: work, TMPDIR: work },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  for (const line of text.split("\n").filter((candidate) => candidate !== "")) {
    const report: DamageReport = JSON.parse(line);
    reports.set(`${uid} ${report.id}`, report);
  }
  if (status !== 0) throw new Error(`the driver ended with ${String(status)}`);
}

beforeAll(() => Promise.all(users.map(letLoose)), PATIENCE_MS);

afterAll(() => {
  for (const work of works) rmSync(work, { recursive: true, force: true });
});

test("every kind of repository and every class of damage has programs", () => {
  const kinds = new Set(programs.map((program) => program.repository));
  expect(REPOSITORY_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(programs.filter((program) => program.id.startsWith("honest/")).length).toBeGreaterThanOrEqual(15);
  expect(programs.length).toBeGreaterThanOrEqual(300);
});

/** Everything that is wrong about one program, in words; with the walker's findings, since nothing else explains them. */
function complaints(program: Program, report: DamageReport): string[] {
  const isHonest = program.id.startsWith("honest/");
  const wrong: string[] = [];
  if (report.error !== null) return [report.error];
  if (!program.expect.includes(report.code ?? "")) wrong.push(`it ended as ${String(report.code)}`, ...report.findings);
  const note = program.note ?? "";
  if (note !== "" && !report.notes.some((text) => text.includes(note)))
    wrong.push(`it did not say "${note}"`, ...report.notes);
  if (!isHonest && !report.damaged) wrong.push("it did no damage, so it proves nothing");
  wrong.push(...report.lost.map((difference) => `lost by the merge: ${difference}`));
  wrong.push(...report.left.map((difference) => `left behind: ${difference}`));
  return wrong;
}

describe.each(users)("as $name", ({ uid, part }) => {
  test.for(part)("$id ends as it says and leaves nothing behind", (program, { skip }) => {
    const report = reports.get(`${uid} ${program.id}`);
    if (report === undefined) throw new Error("the driver said nothing about it");
    // The reason is shown in the report of the tests.
    if (report.skipped !== null) skip(report.skipped);
    expect(complaints(program, report)).toEqual([]);
  });

  test("nothing is skipped but what this user or this file system cannot do", () => {
    const reasons = part.map(({ id }) => reports.get(`${uid} ${id}`)?.skipped ?? "");
    const accepted = ["", "needs root and immutable files", ...(uid === 0 ? [] : ["needs root"])];
    expect(reasons.filter((reason) => process.platform === "linux" && !accepted.includes(reason))).toEqual([]);
  });
});
