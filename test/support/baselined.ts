import type { TickEvent } from "../../src/records/event.ts";

/** Checks that were not run before the build. */
export const BASELINED: TickEvent = {
  type: "baselined",
  commit: "a".repeat(40),
  checks_sha256: "b".repeat(64),
  runs: [],
  code: null,
  message: null,
};
