import { DemoAct } from "../records/demo.ts";
import { InvariantError } from "../base/errors.ts";
import { parseWith } from "../base/schema-error.ts";
import campaign from "./campaign-act.json" with { type: "json" };
import goal from "./goal-act.json" with { type: "json" };
import tick from "./tick-act.json" with { type: "json" };
import tree from "./tree-act.json" with { type: "json" };

/** `src/records/demo.ts` defines an act; `src/commands/demo-spec.ts` lists the name that people type. */
export const DEMO_ACTS: readonly DemoAct[] = [tick, tree, goal, campaign].map((act) => {
  const parsed = parseWith(DemoAct, act);
  if (parsed.kind === "valid") return parsed.value;
  throw new InvariantError(`the act ${act.id} is not valid: ${parsed.problems[0]?.message}`);
});
