import type { Config } from "../../contract/config/config.ts";
import type { Rules } from "../../contract/evidence/evidence.ts";
import type { CheckRule } from "../../contract/values/check-rules.ts";
import { checkSteering } from "./check-steering.ts";

type Verification = Pick<Config["verification"], "oracle_globs" | "templates" | "rules"> & { readonly oracle: string };

/** Of a longer task, the beginning. */
const TASK_CHARS_MAX = 4000;

/** How weakened checks are found and treated. A rule that the person's task allows is a note at most. */
export function makeWeakeningRules(
  { oracle, oracle_globs, templates, rules }: Verification,
  allows: readonly CheckRule[],
  taskText = "",
): Pick<Rules, "weakening"> {
  if (oracle === "allow" || oracle === "off") return {};
  const allowed = allows.map((rule) => [rule, rules[rule] === "off" ? "off" : "note"] as const);
  return {
    weakening: {
      test_globs: oracle_globs,
      settings_globs: [...checkSteering(templates)],
      rules: { ...rules, ...Object.fromEntries(allowed) },
      ...(taskText === "" ? {} : { task_text: taskText.slice(0, TASK_CHARS_MAX) }),
    },
  };
}
