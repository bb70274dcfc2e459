import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { importText } from "./scripts/import-text.ts";
import { importBuilders } from "./scripts/drill-text.mjs";
import { importPage } from "./scripts/page-text.mjs";
import { noteLeftOut } from "./scripts/left-out.mjs";
import { LEVELS, isPure } from "./scripts/rooms.mjs";
import { SECOND_TIER } from "./scripts/second-tier.ts";

const text = readFileSync(join(import.meta.dirname, "package.json"), "utf8");
const { version }: { version: string } = JSON.parse(text);
const PURE = LEVELS.flat()
  .filter((room) => isPure(room) && room !== "page/browser")
  .map((room) => `test/${room}/*.test.ts`);

/** Prints what pages cost. */
const MEASURED = "test/browser/measured.browser.ts";

/** Which files each project runs. */
export const PROJECTS: Readonly<Record<string, { readonly include: string[]; readonly exclude: string[] }>> = {
  pure: { include: PURE, exclude: [...SECOND_TIER] },
  whole: { include: ["test/**/*.test.ts", "lab/**/*.test.ts"], exclude: [...PURE, ...SECOND_TIER] },
  second: { include: [...SECOND_TIER], exclude: [] },
  browser: { include: ["test/browser/**/*.browser.ts"], exclude: [MEASURED] },
  measured: { include: [MEASURED], exclude: [] },
};
const globalSetup = ["test/support/memory-folder.ts", "test/support/without-sandbox.ts", "test/support/build-once.ts"];
/** What is pure starts no program, and what is measured runs after the others, so that nothing else runs beside it. */
const SETTINGS: Readonly<Record<string, object>> = {
  pure: { isolate: false },
  measured: { globalSetup, sequence: { groupOrder: 1 } },
};

export default defineConfig({
  plugins: [importBuilders, importText, importPage],
  // As the build does, so that relais says the same wherever it runs.
  define: { RELAIS_VERSION: JSON.stringify(version) },
  test: {
    // Real processes and real repositories on small, noisy machines, and some wait for their turn: generous limits, but limits.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // More than the smallest machine has cores, because much of the time is spent waiting for disks and for clocks.
    maxWorkers: 4,
    maxConcurrency: 3,
    reporters: ["default", noteLeftOut],
    setupFiles: ["test/support/one-seed.ts", "test/support/remove-folders.ts"],
    // Files share their modules: what is pure leaves nothing behind, and the others put back what they change.
    projects: Object.entries(PROJECTS).map(([name, files]) => ({
      extends: true,
      test: { name, ...files, ...(SETTINGS[name] ?? { isolate: false, globalSetup }) },
    })),
  },
});
