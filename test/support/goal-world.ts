/**
 * A world in which goals are pursued: one program plays the worker and the reviewers, and notes every session that
 * anybody would have to pay for.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { GoalLedger, GoalSummary } from "../../src/records/goal.ts";
import type { Ran } from "./relais.ts";
import { inWorld } from "./scenario.ts";
import type { World } from "./scenario-world.ts";

interface GoalParts {
  /** What the worker does in its turn `$turn`; by default it writes one more line. */
  readonly worker?: string;
  /** The arms of a case by `$RELAIS_REVIEWER`, which may look at `$turn`; by default everybody votes complete. */
  readonly reviewers?: string;
  readonly config?: object;
}

const WORK = 'echo "line $turn" >> src/main.ts; receipt "Wrote line $turn."';
const TEMPLATES = [{ id: "green", cmd: "true" }];

export const goalAgent = ({ worker = WORK, reviewers = "*) vote complete ;;" }: GoalParts) => `
box=$(dirname "$0")
receipt() { printf '{"receipt":"%s"}' "$1" > "$RELAIS_RESULT_PATH"; }
vote() { # decision, evidence, gap, blocker id
  gaps='[]'; blocker=null; id=null
  if [ -n "$3" ]; then gaps="[\\"$3\\"]"; fi
  if [ -n "$4" ]; then blocker='"It is in the way."'; id="\\"$4\\""; fi
  printf '{"decision": "%s","evidence":["%s"],"gaps":%s,"blocker":%s,"blocker_id":%s,"confidence_score":0.8,"explanation":"Looked."}' \\
    "$1" "\${2:-file: src/main.ts}" "$gaps" "$blocker" "$id" > "$RELAIS_RESULT_PATH"
}
cp "$RELAIS_PROMPT_PATH" "$box/prompt-\${RELAIS_REVIEWER:-worker}"
if [ "$RELAIS_ROLE" = builder ]; then
  turn=$(($(grep -c worker "$box/sessions" 2>/dev/null) + 1))
  echo worker >> "$box/sessions"
  ${worker}
  exit 0
fi
turn=$(grep -c worker "$box/sessions")
echo "$RELAIS_REVIEWER" >> "$box/sessions"
case "$RELAIS_REVIEWER" in
${reviewers}
esac
`;

export interface GoalWorld {
  readonly world: World;
  /** Runs `relais goal` with these arguments and `--json`. */
  readonly goal: (...args: readonly string[]) => Promise<Ran & { readonly summary: GoalSummary }>;
  readonly ledger: () => GoalLedger;
  /** Every session, in the order in which they began. */
  readonly sessions: () => readonly string[];
  readonly prompt: (who: string) => string;
}

/** The last line that a goal prints for a script, which follows its published schema. */
export function summaryIn({ stdout }: Ran): GoalSummary {
  return v.parse(GoalSummary, JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
}

/** Does something in a world whose program behaves as told. */
export function inGoalWorld(parts: GoalParts, work: (goals: GoalWorld) => Promise<void>): Promise<void> {
  const config = { verification: { templates: TEMPLATES }, ...parts.config };
  return inWorld({ program: goalAgent(parts), config, checksRecords: true }, (world) => {
    const noted = join(world.box, "sessions");
    return work({
      world,
      goal: async (...args) => {
        const ran = await world.relais(["goal", ...args, "--json"]);
        return { ...ran, summary: summaryIn(ran) };
      },
      ledger: () => {
        const folder = world.git("ls-files", "-o", "relais/goals").split("\n");
        const path = folder.findLast((name) => name.endsWith("/goal-ledger.json"));
        return v.parse(GoalLedger, JSON.parse(world.read(path ?? "none")));
      },
      sessions: () => (existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : []),
      prompt: (who) => readFileSync(join(world.box, `prompt-${who}`), "utf8"),
    });
  });
}
