/** What a person is suggested while a campaign is thought through. Each of it is only a suggestion. */
import type { Config } from "../../contract/config.ts";
import { joinCommand } from "./split-command.ts";

const SLUG_CHARS = 30;

/** A short name made of the words of a description. */
export function suggestedSlug(description: string): string {
  const words = description
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "");
  const cut = words.slice(0, SLUG_CHARS);
  const whole = words.length > SLUG_CHARS ? cut.slice(0, Math.max(cut.lastIndexOf("-"), 1)) : cut;
  return whole === "" ? "campaign" : whole;
}

const MANY_STORIES = 3;

/** What is recommended as the work of one iteration. The person chooses all the same. */
export function recommendedUnit(stories: number): "story" | "all" {
  return stories >= MANY_STORIES ? "story" : "all";
}

const TRIES_PER_STORY = 3;
const LEAST_ITERATIONS = 6;

/** Room for each story to be built, fixed and fixed again. */
export function suggestedIterations(stories: number): number {
  return Math.max(LEAST_ITERATIONS, stories * TRIES_PER_STORY);
}

/** The checks of the configuration that need no parameter, as commands. */
export function suggestedCommands({
  verification,
}: Config): readonly { readonly id: string; readonly line: string }[] {
  return verification.templates
    .filter(({ params = {} }) => Object.keys(params).length === 0)
    .map(({ id, cmd, args }) => ({
      id: id.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "-"),
      line: joinCommand([cmd, ...args]),
    }));
}
