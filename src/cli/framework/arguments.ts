import { parseArgs } from "node:util";
import { InvariantError } from "../../contract/values/invariant.ts";
import { nearestName } from "../../contract/schema/nearest-name.ts";

/** One option that a command declares. */
export interface OptionSpec {
  readonly type: "flag" | "text" | "list";
  readonly short?: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  /** The only values that it takes, for shells to offer. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** The options that were given. Asking for one that the command does not declare is a bug. */
export interface OptionValues {
  readonly flag: (name: string) => boolean;
  readonly text: (name: string) => string | null;
  readonly list: (name: string) => readonly string[];
}

export type ParsedArguments =
  | { readonly kind: "parsed"; readonly positionals: readonly string[]; readonly options: OptionValues }
  | { readonly kind: "misused"; readonly message: string };

type Specs = Readonly<Record<string, OptionSpec>>;

/** Takes arguments apart by the options that are declared; the first mistake is the answer. */
export function parseArguments(args: readonly string[], specs: Specs): ParsedArguments {
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens(args, specs)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const mistake = mistakeIn(token, specs) ?? repetition(token, specs, given);
    if (mistake !== null) return { kind: "misused", message: mistake };
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? ""]);
  }
  return { kind: "parsed", positionals, options: optionValues(given, specs) };
}

/** The first argument that is no option and no value of one: the name of the command. */
export function commandPosition(args: readonly string[], globals: Specs): number | null {
  const first = tokens(args, globals).find(({ kind }) => kind === "positional");
  return first?.index ?? null;
}

function tokens(args: readonly string[], specs: Specs) {
  const options = Object.entries(specs).map(([name, { type, short }]) => {
    const kind = type === "flag" ? ("boolean" as const) : ("string" as const);
    return [name, { type: kind, multiple: true, ...(short === undefined ? {} : { short }) }] as const;
  });
  return parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function mistakeIn({ name, rawName, value, inlineValue }: OptionToken, specs: Specs): string | null {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec === undefined) {
    const nearest = nearestName(name, Object.keys(specs));
    return `there is no option ${rawName}${nearest === null ? "" : `; did you mean --${nearest}?`}`;
  }
  if (spec.type === "flag") return inlineValue === true ? `the option ${rawName} takes no value` : null;
  const needs = `the option ${rawName} needs a value: ${rawName} ${spec.value ?? "VALUE"}`;
  return inlineValue === true || isValue(value) ? null : needs;
}

/** Of two values nobody can tell which one was meant. */
function repetition(
  { name, rawName }: OptionToken,
  specs: Specs,
  given: ReadonlyMap<string, unknown>,
): string | null {
  return specs[name]?.type === "text" && given.has(name) ? `the option ${rawName} is given twice` : null;
}

/** In `--base --json` the value was forgotten; one that truly begins with a dash is written as `--base=-x`. */
function isValue(text: string | undefined): boolean {
  return text !== undefined && (text === "-" || !text.startsWith("-"));
}

function optionValues(given: ReadonlyMap<string, readonly string[]>, specs: Specs): OptionValues {
  const declared = (name: string): readonly string[] => {
    if (!Object.hasOwn(specs, name)) throw new InvariantError(`option ${name} is not declared`);
    return given.get(name) ?? [];
  };
  return {
    flag: (name) => declared(name).length > 0,
    text: (name) => declared(name)[0] ?? null,
    list: declared,
  };
}
