import { defineConfig } from "vitest/config";

/** The suite with the real programs of the agents, which `npm run test:agents` installs and starts. */
export default defineConfig({
  test: {
    include: ["test/real-agents/**/*.real.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
