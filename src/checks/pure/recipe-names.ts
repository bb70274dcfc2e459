/**
 * The public names of a justfile or a Makefile, read without running anything. Neither file is fully parsed. A false
 * recipe only costs a template that a person deletes, but assignments, settings and bodies must never be taken for one.
 */

const JUST_RECIPE = /^@?(?<name>[A-Za-z_][\w-]*)(?<parameters>[^:]*):(?!=)/;
/** What stands above a recipe, such as `[private, no-cd]`. */
const JUST_ATTRIBUTES = /^\[(?<names>[^\]]*)\]\s*$/;
const MAKE_RULE = /^(?<targets>[^:=#\t]+?)\s*:{1,2}(?![:=])(?<rest>.*)$/;
/** `test: FLAGS = -g` only sets a variable for a target of another line. */
const MAKE_VARIABLE = /^\s*(?:(?:export|override|private)\s+)*[\w.-]+\s*[:+?!]*=/;
/** A name without variables and patterns. */
const MAKE_NAME = /^[\w./-]+$/;

/** The public recipes that need neither an argument nor an answer. */
export function listJustRecipes(text: string): ReadonlySet<string> {
  let above: readonly string[] = [];
  const found = text.split("\n").flatMap((line) => {
    const attributes = listAttributes(line);
    above = [...above, ...attributes];
    const { name, parameters = "" } = JUST_RECIPE.exec(line)?.groups ?? {};
    if (name === undefined) return [];
    const isMeant = !name.startsWith("_") && !needsArgument(parameters) && isForAnybody(above);
    above = [];
    return isMeant ? [name] : [];
  });
  return new Set(found);
}

function listAttributes(line: string): readonly string[] {
  const names = JUST_ATTRIBUTES.exec(line)?.groups?.["names"] ?? "";
  return names.split(",").map((name) => name.trim());
}

/** Neither hidden, nor interactive, nor only for another system. */
function isForAnybody(attributes: readonly string[]): boolean {
  const isElsewhere = attributes.includes("windows") && !SYSTEMS.some((name) => attributes.includes(name));
  return !isElsewhere && !attributes.some((attribute) => /^(?:private|confirm)\b/.test(attribute));
}

const SYSTEMS = ["unix", "linux", "macos"];

/** A parameter is optional if it has a default or takes any number of words. */
function needsArgument(parameters: string): boolean {
  return parameters.split(/\s+/).some((word) => word !== "" && !word.includes("=") && !word.startsWith("*"));
}

export function makeTargets(text: string): ReadonlySet<string> {
  return new Set(listMakeRules(text).keys());
}

interface MakeRule {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

export function listMakeRules(text: string): ReadonlyMap<string, MakeRule> {
  const rules = new Map<string, MakeRule>();
  let open: readonly string[] = [];
  const add = (target: string, more: MakeRule): void => {
    const { needs, lines } = rules.get(target) ?? { needs: [], lines: [] };
    rules.set(target, { needs: [...needs, ...more.needs], lines: [...lines, ...more.lines] });
  };
  for (const line of listLogicalLines(text)) {
    const rule = line.startsWith("\t") ? { needs: [], lines: [line.trim()] } : readRule(line);
    if (rule === null) continue;
    open = "targets" in rule ? rule.targets : open;
    for (const target of open) add(target, rule);
  }
  return rules;
}

/** The line that begins a rule; null for any other. */
function readRule(line: string): (MakeRule & { readonly targets: readonly string[] }) | null {
  const { targets = "", rest = "" } = MAKE_RULE.exec(line)?.groups ?? {};
  if (targets === "" || MAKE_VARIABLE.test(rest)) return null;
  const [needs = "", first] = rest.split(";");
  return {
    targets: listMakeNames(targets),
    needs: listMakeNames(needs),
    lines: first === undefined ? [] : [first.trim()],
  };
}

function listMakeNames(words: string): readonly string[] {
  return words.split(/\s+/).filter((name) => MAKE_NAME.test(name));
}

/** With continued lines joined, and without the text between `define` and `endef`. */
function listLogicalLines(text: string): readonly string[] {
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
