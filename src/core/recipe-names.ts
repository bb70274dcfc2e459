/**
 * The names that a justfile or a Makefile lets a person call, read without running anything.
 *
 * Neither file is understood as a whole. A line that only looks like a recipe costs a template that a person deletes,
 * so what counts is that assignments, settings and bodies are never taken for one.
 */

const JUST_RECIPE = /^@?(?<name>[A-Za-z_][\w-]*)(?<parameters>[^:]*):(?!=)/;
const MAKE_RULE = /^(?<targets>[\w.\-/ ]+?)[ \t]*:{1,2}(?![:=])/;

/** The recipes of a justfile that can be called without an argument. */
export function justRecipes(text: string): ReadonlySet<string> {
  const found = text.split("\n").flatMap((line) => {
    const { name, parameters = "" } = JUST_RECIPE.exec(line)?.groups ?? {};
    return name === undefined || needsArgument(parameters) ? [] : [name];
  });
  return new Set(found);
}

/** A parameter may be left out when it has a default or takes any number of words, none included. */
function needsArgument(parameters: string): boolean {
  return parameters.split(/\s+/).some((word) => word !== "" && !word.includes("=") && !word.startsWith("*"));
}

/** The targets of a Makefile. */
export function makeTargets(text: string): ReadonlySet<string> {
  const found = text.split("\n").flatMap((line) => MAKE_RULE.exec(line)?.groups?.["targets"]?.split(/ +/));
  return new Set(found.filter((target) => target !== undefined));
}
