import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { importText } from "./scripts/import-text.ts";

const text = readFileSync(join(import.meta.dirname, "package.json"), "utf8");
const { version }: { version: string } = JSON.parse(text);

export default defineConfig({
  plugins: [importText],
  // As the build does, so that relais says the same wherever it runs.
  define: { RELAIS_VERSION: JSON.stringify(version) },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build-once.ts"],
    setupFiles: ["test/support/one-seed.ts"],
    // Real processes and real repositories on small, noisy machines, and some wait for their turn: generous limits, but limits.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // More than the smallest machine has cores, because much of the time is spent waiting for disks and for clocks.
    maxWorkers: 4,
    maxConcurrency: 3,
  },
});
