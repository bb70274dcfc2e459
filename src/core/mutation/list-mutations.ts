/** Every small mutation of a source text that its tokens allow. */
import { findLanguage, isGenerated } from "../weakening/language.ts";
import { listLeftOut } from "./left-out.ts";
import { OPERATORS } from "./operators.ts";
import { readRoles } from "./read-roles.ts";
import { readTokens } from "./read-tokens.ts";

export interface Mutation {
  readonly path: string;
  readonly operator: keyof typeof OPERATORS;
  /** Counted from 1, as is the column. */
  readonly line: number;
  readonly column: number;
  readonly before: string;
  readonly after: string;
  readonly start: number;
  readonly end: number;
}

/** The languages of relais' own mutations. */
const NAMES = /\.(?:[cm]?[jt]s|[jt]sx)$/u;
const DECLARATIONS = /\.d\.[cm]?ts$/u;

/** Whether mutations are made in a file of this name. */
export function canMutate(path: string): boolean {
  return NAMES.test(path) && !DECLARATIONS.test(path);
}

export function listMutations(path: string, text: string): readonly Mutation[] {
  const language = findLanguage(path, text);
  if (!canMutate(path) || language === null || isGenerated(path, text)) return [];
  const tokens = readTokens(text, language);
  const source = { ...tokens, ...readRoles(tokens), isTyped: language === "ts" };
  const leftOut = listLeftOut(source);
  const locate = makeLocator(text);
  return tokens.tokens
    .filter(({ index }) => !leftOut.has(index))
    .flatMap((token) =>
      listOperators().flatMap((operator) =>
        OPERATORS[operator](source, token).map((replacement) => ({
          path,
          operator,
          ...locate(replacement.start),
          before: text.slice(replacement.start, replacement.end),
          after: replacement.text,
          start: replacement.start,
          end: replacement.end,
        })),
      ),
    );
}

const isOperator = (name: string): name is keyof typeof OPERATORS => name in OPERATORS;
const listOperators = () => Object.keys(OPERATORS).filter(isOperator);

function makeLocator(text: string): (at: number) => Pick<Mutation, "line" | "column"> {
  const starts = [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

export function applyMutation(text: string, { start, end, after }: Pick<Mutation, "start" | "end" | "after">): string {
  return `${text.slice(0, start)}${after}${text.slice(end)}`;
}
