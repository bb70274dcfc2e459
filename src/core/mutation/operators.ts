/** The kinds of small mutations. Each looks at one token and lists its replacements. */
import { beginsOperand, endsOperand, findStatementEnd, isCloser, type Token } from "./read-tokens.ts";
import type { SourceTokens } from "./left-out.ts";

/** Replaces the text from `start` to `end`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type ListReplacements = (source: SourceTokens, token: Token) => readonly Replacement[];

const replace = ({ start, end }: Pick<Token, "start" | "end">, texts: readonly string[]): readonly Replacement[] =>
  texts.map((text) => ({ start, end, text }));

const COMPARISONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["<", ["<=", ">="]],
  ["<=", ["<", ">"]],
  [">", [">=", "<="]],
  [">=", [">", "<"]],
  ["===", ["!=="]],
  ["!==", ["==="]],
  ["==", ["!="]],
  ["!=", ["=="]],
]);

/** Without spaces around it, an angle may belong to a type or a tag. */
const mutateComparison: ListReplacements = ({ at }, token) => {
  const { text, index, isApart } = token;
  const isCertain = text.length > 1 || (isApart && at(index + 1).isApart);
  return isCertain && isBinary({ at }, token) ? replace(token, COMPARISONS.get(text) ?? []) : [];
};

const ARITHMETIC: ReadonlyMap<string, string> = new Map([
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["/", "*"],
  ["%", "*"],
  ["**", "*"],
  ["<<", ">>"],
  [">>", "<<"],
]);
const ASSIGNMENTS: ReadonlyMap<string, string> = new Map([
  ["+=", "-="],
  ["-=", "+="],
  ["*=", "/="],
  ["/=", "*="],
  ["%=", "*="],
  ["&&=", "="],
  ["||=", "="],
  ["??=", "="],
]);

const mutateArithmetic: ListReplacements = (source, token) => {
  const { at } = source;
  const assigned = ASSIGNMENTS.get(token.text);
  if (assigned !== undefined) return replace(token, [assigned]);
  const other = ARITHMETIC.get(token.text);
  const isText = [at(token.index - 1), at(token.index + 1)].some(
    ({ kind }) => kind === "string" || kind === "template",
  );
  const isShift = token.text.length === 2 && token.text !== "**";
  if (other === undefined || isText || !isBinary(source, token) || (isShift && !token.isApart)) return [];
  return replace(token, [other]);
};

function isBinary({ at }: Pick<SourceTokens, "at">, { index }: Token): boolean {
  return endsOperand(at(index - 1)) && beginsOperand(at(index + 1));
}

/** Mixing `??` with others needs parentheses, so it is left alone in a chain. */
const mutateLogic: ListReplacements = ({ tokens }, token) => {
  if (token.text === "&&") return replace(token, ["||"]);
  if (token.text === "||") return replace(token, ["&&"]);
  if (token.text !== "??") return [];
  const near = tokens.slice(Math.max(0, token.index - NEAR), token.index + NEAR);
  return near.some(({ text, owner, index }) => text === "??" && owner === token.owner && index !== token.index)
    ? []
    : replace(token, ["&&"]);
};
const NEAR = 60;

const mutateNegation: ListReplacements = ({ at }, token) => {
  const next = at(token.index + 1);
  const isPrefix = token.text === "!" && !endsOperand(at(token.index - 1)) && at(token.index - 1).text !== "}";
  return isPrefix && beginsOperand(next) ? replace({ start: token.start, end: next.start }, [""]) : [];
};

const mutateStep: ListReplacements = (_source, token) => {
  if (token.text === "++") return replace(token, ["--"]);
  return token.text === "--" ? replace(token, ["++"]) : [];
};

const mutateOptionalChain: ListReplacements = ({ at }, token) =>
  token.text === "?." ? replace(token, ["[", "("].includes(at(token.index + 1).text) ? [""] : ["."]) : [];

const mutateBoolean: ListReplacements = (source, token) => {
  if (token.kind !== "word" || isName(source, token)) return [];
  if (token.text === "true") return replace(token, ["false"]);
  return token.text === "false" ? replace(token, ["true"]) : [];
};

const mutateNumber: ListReplacements = (source, token) => {
  if (token.kind !== "number" || !/^(?:0|[1-9]\d{0,14})$/u.test(token.text) || isName(source, token)) return [];
  const value = Number(token.text);
  return replace(token, [String(value + 1), ...(value > 0 ? [String(value - 1)] : [])]);
};

/** The words of a message are not worth a test. */
const MESSAGE = /Error$|^(?:log|warn|error|info|debug|trace)$/u;

const mutateString: ListReplacements = (source, token) => {
  const quote = token.text.charAt(0);
  const isWhole = token.kind === "string" && token.text.length > 1 && token.text.endsWith(quote);
  if (!isWhole || isName(source, token) || isUntold(source, token)) return [];
  return replace(token, [token.text.length === 2 ? `${quote}mutated${quote}` : `${quote}${quote}`]);
};

/** A directive, an attribute of a tag, or a message. */
function isUntold({ at }: SourceTokens, token: Token): boolean {
  const [before, next] = [at(token.index - 1), at(token.index + 1)];
  if (before.text === "(" && MESSAGE.test(at(before.index - 1).text)) return true;
  if (before.text === "=") return !before.isApart && !token.isApart;
  return token.isFirst && (next.isFirst || next.text === ";") && !["(", ",", "["].includes(before.text);
}

/** A key, or the name of a method or member. */
function isName({ at, colons }: SourceTokens, { index }: Token): boolean {
  const [before, next] = [at(index - 1), at(index + 1)];
  if (before.text === "." || before.text === "?.") return true;
  const role = next.text === ":" ? colons.get(next.index) : undefined;
  if (role === "property" || role === "type") return true;
  return ["{", ",", ";", "}"].includes(before.text) && ["(", "=", "?"].includes(next.text);
}

const mutateReturn: ListReplacements = (source, { kind, text, index }) => {
  const { at } = source;
  const first = at(index + 1);
  if (kind !== "word" || text !== "return" || isName(source, at(index)) || first.isFirst || isCloser(first)) return [];
  const last = at(findStatementEnd(source, index + 1) - 1);
  const value = source.text.slice(first.start, last.end);
  return last.index <= index || /^(?:undefined|null|void 0)$/u.test(value)
    ? []
    : replace({ start: first.start, end: last.end }, ["undefined"]);
};

const mutateCondition: ListReplacements = (source, token) => {
  const { at } = source;
  const open = at(token.index + 1);
  const isTest = ["if", "while"].includes(token.text) && open.text === "(" && !isMember(source, token);
  if (!isTest || open.partner === null || open.partner === open.index + 1) return [];
  const inside = { start: at(open.index + 1).start, end: at(open.partner - 1).end };
  const known = source.text.slice(inside.start, inside.end);
  const values = token.text === "while" ? ["false"] : ["true", "false"];
  return replace(
    inside,
    values.filter((value) => value !== known),
  );
};

/** A member of that name, or its use. */
function isMember({ at, braces }: SourceTokens, { index, owner }: Token): boolean {
  const around = owner === null ? undefined : braces.get(owner);
  return [".", "?."].includes(at(index - 1).text) || around === "class" || around === "object";
}

const mutateLiteral: ListReplacements = (source, token) => {
  const { at } = source;
  if (token.partner === null || token.partner <= token.index + 1) return [];
  const isValue = token.text === "[" ? isArray(source, token) : source.braces.get(token.index) === "object";
  if (!isValue || isPattern(source, token)) return [];
  return replace({ start: token.end, end: at(token.partner).start }, [""]);
};

const BEFORE_ARRAY = /^(?:[=([,?:]|=>|return|&&|\|\||\?\?|\.\.\.|of|in)$/u;

function isArray({ at, colons }: SourceTokens, { index, partner }: Token): boolean {
  const after = at((partner ?? index) + 1);
  const isKey = after.text === "(" || (after.text === ":" && colons.get(after.index) !== "choice");
  return BEFORE_ARRAY.test(at(index - 1).text) && !isKey;
}

/** Deeper patterns are rare. */
const PATTERN_DEPTH = 20;

/** What is assigned to, and the parameters of a function. */
function isPattern(source: SourceTokens, token: Token): boolean {
  const { at } = source;
  let around = token;
  for (let depth = 0; depth < PATTERN_DEPTH && ["[", "{"].includes(around.text); depth += 1) {
    if (isAssigned(source, around)) return true;
    around = at(around.owner);
  }
  return around.text === "(" && ["=>", "{", ":"].includes(at((around.partner ?? 0) + 1).text);
}

function isAssigned({ at, braces }: SourceTokens, { index, partner }: Token): boolean {
  return braces.get(index) === "pattern" || ["=", "of", "in"].includes(at((partner ?? -2) + 1).text);
}

const NO_CALLS = new Set(
  "if for while switch catch return throw function class const let var import export new super delete void typeof yield case do else try with console".split(
    " ",
  ),
);

const mutateCall: ListReplacements = (source, token) => {
  const { at, braces } = source;
  const [before, around] = [at(token.index - 1), at(token.owner)];
  const isStart = ["", ";", "{", "}"].includes(before.text) || (before.text === ")" && token.isFirst);
  const isInBlock = token.owner === null || braces.get(around.index) === "block";
  if (token.kind !== "word" || !isStart || !isInBlock || NO_CALLS.has(token.text)) return [];
  const end = findStatementEnd(source, token.index);
  return isPlainCall(source, token, end) ? replace({ start: token.start, end: at(end - 1).end }, [""]) : [];
};

/** Names, dots and groups only, up to the last parenthesis. */
function isPlainCall({ at, tokens }: SourceTokens, { index, owner }: Token, end: number): boolean {
  const parts = tokens.slice(index, end).filter((token) => token.owner === owner);
  const isPlain = parts.every(({ kind, text }) => kind === "word" || /^(?:\?\.|[.()[\]!])$/u.test(text));
  const words = parts.filter(({ kind }, place) => kind === "word" && parts[place + 1]?.kind === "word");
  const isEnded = at(end).text === ";" || at(end).isFirst || isCloser(at(end));
  return isPlain && isEnded && at(end - 1).text === ")" && words.every(({ text }) => text === "await");
}

export const OPERATORS = {
  comparison: mutateComparison,
  arithmetic: mutateArithmetic,
  logic: mutateLogic,
  negation: mutateNegation,
  step: mutateStep,
  "optional chain": mutateOptionalChain,
  boolean: mutateBoolean,
  number: mutateNumber,
  string: mutateString,
  return: mutateReturn,
  condition: mutateCondition,
  literal: mutateLiteral,
  call: mutateCall,
} as const satisfies Readonly<Record<string, ListReplacements>>;
