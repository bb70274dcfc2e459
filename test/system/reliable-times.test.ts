/** A file can be written without a system call, and only some file systems show that in its times. */
import { lstatSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hasReliableTimes } from "../../src/system/walk.ts";
import { canMap, mapWrite } from "../support/map-write.ts";

const TMPFS = 0x01_02_19_94;

describe.skipIf(!canMap)("a write through a mapping (needs python3)", () => {
  test.each([tmpdir(), "/var/tmp", "/dev/shm"])(
    "changes the times in %s, or its times are not believed",
    async (place) => {
      const folder = mkdtempSync(join(place, "relais-times-"));
      try {
        const path = join(folder, "mapped.txt");
        writeFileSync(path, "before");
        await sleep(50);
        const before = lstatSync(path, { bigint: true }).ctimeNs;
        mapWrite(path, "after!");
        const isShown = lstatSync(path, { bigint: true }).ctimeNs !== before;
        expect(isShown || !hasReliableTimes(folder)).toBe(true);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

test.skipIf(process.platform !== "linux")("memory is not believed", () => {
  const type = statfsSync("/dev/shm").type;
  expect(type === TMPFS && hasReliableTimes("/dev/shm")).toBe(false);
});
