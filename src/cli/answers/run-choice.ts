import { unreachable } from "../../contract/values/invariant.ts";
import { nearestName } from "../../contract/schema/nearest-name.ts";
import { findRun } from "../../core/history/find-run.ts";
import { refused, type Refused } from "../../run/workspace/refused.ts";
import type { CommandEnd } from "../framework/command.ts";

type Misuse = Extract<CommandEnd, { kind: "misused" }>;

export type ActionChoice<A extends string> =
  { readonly kind: "action"; readonly action: A; readonly run: string | null } | Misuse;

/** Takes `[ACTION] [RUN]` apart; without anything it is the first action, which takes no RUN. */
export function chooseAction<A extends string>(
  positionals: readonly string[],
  actions: readonly [A, ...A[]],
): ActionChoice<A> {
  const [word] = positionals;
  const run = positionals[1] ?? null;
  const [first] = actions;
  const action = word === undefined ? first : actions.find((name) => name === word);
  if (action === undefined) {
    const nearest = nearestName(word ?? "", actions);
    const hint = nearest === null ? `; it is ${actions.join(", ")}` : `; did you mean "${nearest}"?`;
    return misuse(`there is no "${word ?? ""}" here${hint}`);
  }
  if (action === first && run !== null) return misuse(`"${first}" does not know what to do with "${run}"`);
  return { kind: "action", action, run };
}

export type RunChoice = { readonly kind: "run"; readonly runId: string } | Misuse | Refused;

/** Finds the tick that is meant among those that are known, newest first. */
export function chooseRun(asked: string | null, known: readonly string[], nothing: string): RunChoice {
  const found = findRun(asked, known);
  switch (found.kind) {
    case "run":
      return found;
    case "several":
      return {
        ...misuse(`"${asked ?? ""}" could be one of several ticks`),
        problems: found.runIds.slice(0, 10),
      };
    case "none":
      return asked === null
        ? refused({ cause: "nothing_there", message: nothing, next: "See `relais status`." })
        : misuse(`no tick is called "${asked}"`);
    default:
      return unreachable(found);
  }
}

function misuse(message: string): Misuse {
  return { kind: "misused", message, problems: [] };
}
