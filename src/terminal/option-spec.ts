/** The options that commands declare, and their values with the types that follow from the declaration. */

interface Described {
  readonly short?: string;
  readonly help: string;
}

interface WithValue extends Described {
  /** What stands for the value in the help. */
  readonly value: string;
}

export type OptionSpec =
  | (Described & { readonly type: "flag" })
  | (WithValue & { readonly type: "text" | "list" })
  /** With `unit` where the name of the option does not say what is counted. */
  | (WithValue & { readonly type: "number"; readonly min: 0 | 1; readonly max?: number; readonly unit?: string })
  /** With `isList`, several of them may be given, separated by commas. */
  | (WithValue & { readonly type: "choice"; readonly choices: readonly string[]; readonly isList?: boolean });

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type NamesOf<S extends OptionSpecs, T extends OptionSpec["type"]> = {
  readonly [K in keyof S]: S[K] extends { readonly type: T } ? K : never;
}[keyof S];

type ChoicesOf<O> = O extends { readonly isList: true }
  ? string
  : O extends { readonly choices: readonly (infer C)[] }
    ? C
    : never;

/** The options that were given. One that the command does not declare, or declares as another type, cannot be asked for. */
export interface Options<S extends OptionSpecs> {
  readonly flag: (name: NamesOf<S, "flag">) => boolean;
  readonly text: (name: NamesOf<S, "text">) => string | null;
  readonly list: (name: NamesOf<S, "list">) => readonly string[];
  readonly number: (name: NamesOf<S, "number">) => number | null;
  readonly choice: <K extends NamesOf<S, "choice">>(name: K) => ChoicesOf<S[K]> | null;
}

/** The values of each option in the order in which they were given; a flag has empty ones. */
export type GivenOptions = ReadonlyMap<PropertyKey, readonly string[]>;

/** What was given, as the declaration types it. Numbers and choices were checked when the arguments were parsed. */
export function parseTypedOptions<S extends OptionSpecs>(given: GivenOptions): Options<S>;
export function parseTypedOptions(given: GivenOptions): UntypedOptions {
  const first = (name: PropertyKey): string | null => given.get(name)?.[0] ?? null;
  return {
    flag: (name) => given.has(name),
    text: first,
    list: (name) => given.get(name) ?? [],
    number: (name) => {
      const text = first(name);
      return text === null ? null : Number(text);
    },
    choice: first,
  };
}

interface UntypedOptions {
  readonly flag: (name: PropertyKey) => boolean;
  readonly text: (name: PropertyKey) => string | null;
  readonly list: (name: PropertyKey) => readonly string[];
  readonly number: (name: PropertyKey) => number | null;
  readonly choice: (name: PropertyKey) => string | null;
}

const NUMBER_MAX = 999_999_999;

/** What is wrong with the value of an option; null where it can be used. */
export function findValueMistake(name: string, spec: OptionSpec, value: string): string | null {
  if (spec.type === "choice") {
    const given = spec.isList === true ? value.split(",") : [value];
    const wrong = given.find((one) => !spec.choices.includes(one));
    if (wrong !== undefined) return `--${name} is ${joinChoices(spec.choices)}, not "${wrong}"`;
  }
  if (spec.type !== "number") return null;
  const isCount = /^\d+$/.test(value) && Number(value) <= (spec.max ?? NUMBER_MAX);
  if (isCount && Number(value) >= spec.min) return null;
  return `--${name} ${describeNumber(spec)}, not "${value}"`;
}

function describeNumber({ min, max, unit }: Extract<OptionSpec, { type: "number" }>): string {
  const range = max === undefined ? `${min} or more` : `${min} to ${max}`;
  return `is a whole number${unit === undefined ? "" : ` of ${unit}`}, ${range}`;
}

function joinChoices(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** How an option is written in help and documents: `-f, --follow`, `--task FILE`. */
export function describeOption(name: string, spec: OptionSpec): string {
  const long = "value" in spec ? `--${name} ${spec.value}` : `--${name}`;
  return spec.short === undefined ? long : `-${spec.short}, ${long}`;
}
