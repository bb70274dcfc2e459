import { defineConfig } from "vitest/config";
import { importText } from "./scripts/import-text.ts";

/** The suite with the real programs of the agents, which `npm run test:agents` installs and starts. */
export default defineConfig({
  plugins: [importText],
  test: {
    include: ["test/real-agents/**/*.real.ts"],
    globalSetup: ["test/support/build-once.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
