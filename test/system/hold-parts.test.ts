/** A part that is loaded late is the one that was there when the first program started. */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdParts } from "../../src/system/load-parts.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

test("neither a changed part nor a new one is loaded from disk", () => {
  const folder = scratchFolder();
  const late = join(folder, "late.cjs");
  writeFileSync(late, 'module.exports = "installed";');
  holdParts(folder);
  writeFileSync(late, 'module.exports = "forged";');
  writeFileSync(join(folder, "new.cjs"), 'module.exports = "forged";');
  const load = createRequire(late);
  expect(load("./late.cjs")).toBe("installed");
  expect(() => load("./new.cjs")).toThrow("was no part of relais at its start");
});
