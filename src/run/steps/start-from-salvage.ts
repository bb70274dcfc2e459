/**
 * Applies the unfinished work of a session that a limit ended, so that the next one continues it.
 *
 * It is applied after T0, so it is judged and rolled back with the rest.
 */
import type { StateIn } from "../../core/tick/tick-state.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { type AppliedSalvage, applySalvage } from "../keep/salvage.ts";
import type { RunningSession } from "../session/tick-session.ts";

export interface SalvageStart {
  readonly prompt: string;
  readonly notes: readonly string[];
}

const FROM_NOTHING: SalvageStart = { prompt: "", notes: [] };

const GO_ON = `

An earlier session worked on this and was ended by a limit before it was done. What it had changed, if anything, lies in
the working tree, uncommitted. Look at it first, keep what is right, and bring it to its end.
`;

export async function startFromSalvage(
  session: RunningSession,
  { building, handedOver }: StateIn<"build">,
): Promise<SalvageStart> {
  if (handedOver.some(({ role }) => role === "builder")) return { prompt: GO_ON, notes: [] };
  const salvage = building.continues ?? null;
  if (salvage === null) return FROM_NOTHING;
  const { repository, store, stateDirectory } = session;
  const applied = await applySalvage({ repository, store, stateDirectory, runId: salvage });
  if (applied.kind === "applied")
    return { prompt: GO_ON, notes: [`The session began from the unfinished work of ${salvage}`] };
  return { prompt: "", notes: [`The unfinished work of ${salvage} was not taken up: ${explainNotApplied(applied)}`] };
}

function explainNotApplied(applied: Exclude<AppliedSalvage, { kind: "applied" }>): string {
  switch (applied.kind) {
    case "conflict":
      return `${applied.paths.slice(0, 5).join(", ")} changed since`;
    case "damaged":
      return applied.reason;
    case "missing":
      return "it is gone";
    default:
      return unreachable(applied);
  }
}
