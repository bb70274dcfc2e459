import type { KeptWork } from "../../src/records/kept-work.ts";
import { RUN } from "./ticks.ts";

/** The salvage of one tick, with some of its fields set. */
export function keptWork(fields: Partial<KeptWork>): KeptWork {
  return {
    version: 1,
    kind: "salvage",
    run_id: RUN,
    kept_at: "2026-01-31T23:59:59.000Z",
    code: "STOP_VERIFY_FAILED_FAST",
    files: [],
    left_out: [],
    left_out_total: 0,
    ...fields,
  };
}

/** Files of a salvage, by their paths. */
export function keptFiles(...paths: readonly string[]): KeptWork["files"] {
  return paths.map((path) => ({ path, path_base64: null, before: null, after: null }));
}
