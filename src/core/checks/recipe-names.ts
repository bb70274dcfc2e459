/**
 * The names that a justfile or a Makefile lets a person call, read without running anything.
 *
 * Neither file is understood as a whole. A line that only looks like a recipe costs a template that a person deletes,
 * so what counts is that assignments, settings and bodies are never taken for one.
 */

const JUST_RECIPE = /^@?(?<name>[A-Za-z_][\w-]*)(?<parameters>[^:]*):(?!=)/;
/** What stands above a recipe, such as `[private, no-cd]`. */
const JUST_ATTRIBUTES = /^\[(?<names>[^\]]*)\]\s*$/;
const MAKE_RULE = /^(?<targets>[^:=#\t]+?)\s*:{1,2}(?![:=])(?<rest>.*)$/;
/** `test: FLAGS = -g` only sets a variable for a target that some other line has to make. */
const MAKE_VARIABLE = /^\s*(?:(?:export|override|private)\s+)*[\w.-]+\s*[:+?!]*=/;
/** A name that a person can call; one with a variable or a pattern in it is none. */
const MAKE_NAME = /^[\w./-]+$/;

/** The recipes of a justfile that are meant to be called, without an argument and with nobody there to answer. */
export function listJustRecipes(text: string): ReadonlySet<string> {
  let above: readonly string[] = [];
  const found = text.split("\n").flatMap((line) => {
    const attributes = attributesIn(line);
    above = [...above, ...attributes];
    const { name, parameters = "" } = JUST_RECIPE.exec(line)?.groups ?? {};
    if (name === undefined) return [];
    const isMeant = !name.startsWith("_") && !needsArgument(parameters) && isForAnybody(above);
    above = [];
    return isMeant ? [name] : [];
  });
  return new Set(found);
}

function attributesIn(line: string): readonly string[] {
  const names = JUST_ATTRIBUTES.exec(line)?.groups?.["names"] ?? "";
  return names.split(",").map((name) => name.trim());
}

/** Neither hidden, nor asking back, nor only for a system on which relais does not run. */
function isForAnybody(attributes: readonly string[]): boolean {
  const isElsewhere = attributes.includes("windows") && !SYSTEMS.some((name) => attributes.includes(name));
  return !isElsewhere && !attributes.some((attribute) => /^(?:private|confirm)\b/.test(attribute));
}

const SYSTEMS = ["unix", "linux", "macos"];

/** A parameter may be left out when it has a default or takes any number of words, none included. */
function needsArgument(parameters: string): boolean {
  return parameters.split(/\s+/).some((word) => word !== "" && !word.includes("=") && !word.startsWith("*"));
}

/** The targets of a Makefile. */
export function makeTargets(text: string): ReadonlySet<string> {
  return new Set(listMakeRules(text).keys());
}

interface MakeRule {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

/** The rules of a Makefile by their targets, with what each needs and the lines that it runs. */
export function listMakeRules(text: string): ReadonlyMap<string, MakeRule> {
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  let open: readonly string[] = [];
  for (const line of logicalLines(text)) {
    if (line.startsWith("\t")) {
      for (const target of open) rules.get(target)?.lines.push(line.trim());
      continue;
    }
    const { targets = "", rest = "" } = MAKE_RULE.exec(line)?.groups ?? {};
    if (targets === "" || MAKE_VARIABLE.test(rest)) continue;
    open = targets.split(/\s+/).filter((target) => MAKE_NAME.test(target));
    const [needs = "", first] = rest.split(";");
    for (const target of open) {
      const rule = rules.get(target) ?? { needs: [], lines: [] };
      rule.needs.push(...needs.split(/\s+/).filter((name) => MAKE_NAME.test(name)));
      if (first !== undefined) rule.lines.push(first.trim());
      rules.set(target, rule);
    }
  }
  return rules;
}

/** Lines with what a backslash continues them by, and without the text between `define` and `endef`. */
function logicalLines(text: string): readonly string[] {
  let isDefinition = false;
  return text
    .replaceAll(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .filter((line) => {
      if (/^ *define\b/.test(line)) isDefinition = true;
      const isInside = isDefinition;
      if (/^ *endef\b/.test(line)) isDefinition = false;
      return !isInside;
    });
}
