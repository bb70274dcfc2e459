/** The settings about tests and baselines, with their earlier words. */
import type { Config } from "../../contract/config/config.ts";

type Verification = Config["verification"];

export type OraclePolicy = "off" | "note" | "pinned" | "frozen";

const EARLIER_WORDS = { allow: "off", report: "note", forbid: "frozen" } as const;

export function readOraclePolicy({ oracle }: Pick<Verification, "oracle">): OraclePolicy {
  return oracle === "allow" || oracle === "report" || oracle === "forbid" ? EARLIER_WORDS[oracle] : oracle;
}

export function readBaselinePolicy({ baseline }: Pick<Verification, "baseline">): "off" | "auto" | "always" {
  return baseline === "compare" ? "auto" : baseline;
}
