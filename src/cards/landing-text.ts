import type { Canvas } from "../base/canvas.ts";
import { countNoun } from "../base/count-noun.ts";
import { neutralise, neutraliseLines } from "../base/neutralise.ts";
import { renderFailure } from "./failure-text.ts";

interface ShownConflict {
  readonly name: string;
  readonly paths: readonly string[];
  readonly text: string;
  readonly again?: string | null;
}

const PATHS_SHOWN = 20;

/** Names the paths, and shows both sides with `--verbose`. */
export function renderLandingConflict(
  { name, paths, text, again = null }: ShownConflict,
  { detail, prose }: { readonly detail: "quiet" | "usual" | "all"; readonly prose: Canvas },
): string {
  const message = `${name} conflicts with what is here now; nothing was changed.`;
  const rest = paths.length > PATHS_SHOWN ? [`and ${paths.length - PATHS_SHOWN} more`] : [];
  const next =
    again === null
      ? "Next: solve it on a branch of your own and land that, or let an agent do it again from here."
      : describeReturn(again);
  const card = renderFailure({ code: null, message, problems: [...paths.slice(0, PATHS_SHOWN), ...rest], next }, prose);
  return detail === "all" ? `${card}${neutraliseLines(text)}\n` : card;
}

function describeReturn(again: string): string {
  return `It goes back as the job ${again}, with the reason as context. Next: relais worker --once`;
}

/** Below the card of a landing that a check stopped. */
export function renderReturned(again: string): string {
  return `${describeReturn(again)}\n`;
}

const WORDS = {
  landed: "landed",
  already: "there already",
  stopped: "stopped by a rule or a check",
  conflict: "in conflict",
  refused: "not tried",
} as const;

export type LandingOutcome = keyof typeof WORDS;

interface NamedOutcome {
  readonly name: string;
  readonly outcome: LandingOutcome;
}

/** One line about several landings. */
export function renderLandings(outcomes: readonly NamedOutcome[]): string {
  const parts = (["landed", "already", "stopped", "conflict", "refused"] as const).flatMap((outcome) => {
    const names = outcomes.filter((one) => one.outcome === outcome).map(({ name }) => neutralise(name));
    return names.length === 0 ? [] : [`${names.length} ${WORDS[outcome]} (${names.join(", ")})`];
  });
  return `Of ${countNoun(outcomes.length, "change")}: ${parts.join("; ")}.\n`;
}
