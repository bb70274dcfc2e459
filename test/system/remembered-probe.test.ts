/** What a tick found to work on this machine is not tried again by the next one. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isKnownToWork, type ProbeMemory, rememberThatItWorks } from "../../src/system/remembered-probe.ts";
import { listIsolations } from "../support/isolations.ts";
import { inWorld } from "../support/scenario.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const isolations = await listIsolations();
/** Without the bwrap of the tests, which refuses. */
const REAL_PROGRAMS = `${dirname(process.execPath)}:/usr/bin:/bin`;

test.runIf(isolations.includes("overlay"))("the second tick tries neither an overlay nor a sandbox", async () => {
  await inWorld({ ownProcess: true, config: { isolation: "overlay", sandbox: "auto" } }, async (world) => {
    const listTried = async (): Promise<readonly string[]> => {
      const { stderr } = await world.run([], { RELAIS_DEBUG: "1", PATH: REAL_PROGRAMS });
      return stderr.split("\n").filter((line) => /: \S*(?:bwrap --version|unshare --mount)/u.test(line));
    };
    const first = await listTried();
    const second = await listTried();
    expect(second.length).toBeLessThan(first.length);
    // Where there is a bwrap that works.
    expect(second.filter((line) => line.includes("status 0") && line.includes("bwrap"))).toEqual([]);
  });
});

function remember(): ProbeMemory & { readonly program: string; readonly file: string } {
  const stateDirectory = scratchFolder();
  const program = join(stateDirectory, "program");
  writeFileSync(program, "1");
  const memory = { stateDirectory, name: "sandbox" } as const;
  rememberThatItWorks(memory, { about: "line", files: [program] });
  return { ...memory, program, file: join(stateDirectory, "sandbox-works") };
}

test("a good answer holds for the same subject alone", () => {
  const { program, ...memory } = remember();
  expect(isKnownToWork(memory, { about: "line", files: [program] })).toBe(true);
  expect(isKnownToWork(memory, { about: "other line", files: [program] })).toBe(false);
  expect(isKnownToWork({ ...memory, name: "overlay" }, { about: "line", files: [program] })).toBe(false);
  writeFileSync(program, "2");
  expect(isKnownToWork(memory, { about: "line", files: [program] })).toBe(false);
  rmSync(program);
  expect(isKnownToWork(memory, { about: "line", files: [program] })).toBe(false);
});

test.each([
  ["of the last hour", 59 * 60, true],
  ["of the hour before", 61 * 60, false],
  ["of the future", -60, false],
])("an answer %s", (_, seconds, isKnown) => {
  const { program, file, ...memory } = remember();
  const [stamp = "", at] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `${stamp}\n${Number(at) - seconds * 1000}\n`);
  expect(isKnownToWork(memory, { about: "line", files: [program] })).toBe(isKnown);
});
