import type { PromptSize } from "../records/review.ts";
import { measurePrompt } from "./pure/measure-prompt.ts";
import { exchangeLastPrompt } from "../journal/last-prompt.ts";
import type { OpenTick } from "./running-tick.ts";

/** Compares a prompt with the one that was last sent for the same workflow, role and reviewer. */
export function comparePrompt(
  { where: { stateDirectory } }: OpenTick,
  sentFor: readonly string[],
  text: string,
): PromptSize {
  return measurePrompt(text, exchangeLastPrompt(stateDirectory, sentFor.join("."), text));
}
