import { parseArgs } from "node:util";
import { findNearestName } from "../base/nearest-name.ts";
import { type GivenOptions, type OptionSpecs, findValueMistake } from "./option-spec.ts";

export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly given: GivenOptions;
}

type Parsing = ({ readonly kind: "parsed" } & ParsedArguments) | { readonly kind: "misused"; readonly message: string };

/** Names the command with an option that is not declared here; null if none has it. */
type FindOwner = (name: string) => string | null;

/** Parses arguments by the declared options; reports the first mistake. */
export function parseArguments(
  args: readonly string[],
  specs: OptionSpecs,
  findOwner: FindOwner = () => null,
): Parsing {
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of listTokens(args, specs)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const mistake = findMistake(token, specs, findOwner) ?? findRepetition(token, specs, given);
    if (mistake !== null) return { kind: "misused", message: mistake };
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? ""]);
  }
  return { kind: "parsed", positionals, given };
}

/** The first argument that is no option and no value of one: the name of a command. */
export function findCommandPosition(args: readonly string[], specs: OptionSpecs): number | null {
  const first = listTokens(args, specs).find(({ kind }) => kind === "positional");
  return first?.index ?? null;
}

function listTokens(args: readonly string[], specs: OptionSpecs) {
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

function findMistake(token: OptionToken, specs: OptionSpecs, findOwner: FindOwner): string | null {
  const { name, rawName, value, inlineValue } = token;
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec === undefined) {
    const owner = findOwner(name);
    if (owner !== null) return `--${name} belongs to ${owner}`;
    const nearest = findNearestName(name, Object.keys(specs));
    return `there is no option ${rawName}${nearest === null ? "" : `; did you mean --${nearest}?`}`;
  }
  if (spec.type === "flag") return inlineValue === true ? `the option ${rawName} takes no value` : null;
  if (inlineValue !== true && !isValue(value)) return `the option ${rawName} needs a value: ${rawName} ${spec.value}`;
  return findValueMistake(name, spec, value ?? "");
}

/** Of two values nobody can tell which one was meant. */
function findRepetition(
  { name, rawName }: OptionToken,
  specs: OptionSpecs,
  given: ReadonlyMap<string, unknown>,
): string | null {
  const isSingle = ["text", "number", "choice"].includes(specs[name]?.type ?? "");
  return isSingle && given.has(name) ? `the option ${rawName} is given twice` : null;
}

/** In `--base --json` the value was forgotten; one that truly begins with a dash is written as `--base=-x`. */
function isValue(text: string | undefined): boolean {
  return text !== undefined && (text === "-" || !text.startsWith("-"));
}
