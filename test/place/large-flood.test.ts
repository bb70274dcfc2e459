/** What it costs to revert 150,000 new files. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../support/bundle.ts";
import { place } from "../support/workplace.ts";

/** Less than a third of what a list of all of them takes. */
const PEAK_KIB_MAX = 300 * 1024;

test.skipIf(!existsSync("/proc/self/status"))(
  "150,000 new files are reverted with little memory (needs Linux)",
  async () => {
    const { root, state, git } = place();
    const program = await bundle("revert-flood.ts", state);
    const told = JSON.parse(execFileSync(process.execPath, [program, root, state, "150"], { encoding: "utf8" }));
    process.stdout.write(`150,000 files: reverted in ${told.ms} ms, at most ${Math.round(told.peakKib / 1024)} MiB\n`);
    expect(told.excess).toEqual({ kind: "files", max: 50_000 });
    expect(told.changes).toBeLessThanOrEqual(1_000);
    expect(told.peakKib).toBeLessThan(PEAK_KIB_MAX);
    expect(existsSync(join(root, "src/many"))).toBe(false);
    expect(git("status", "--porcelain")).toBe("?? notes.txt\n");
  },
  300_000,
);
