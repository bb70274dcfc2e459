/** Places where a mutation would change nothing that runs: imports and types. */
import { endsOperand, findStatementEnd, isCloser, skipGroup, type Token, type TokenList } from "./read-tokens.ts";
import type { TokenRoles } from "./read-roles.ts";

export interface SourceTokens extends TokenList, TokenRoles {
  readonly isTyped: boolean;
}

type At = TokenList["at"];

/** The indexes of the tokens that stay as they are. */
export function listLeftOut(source: SourceTokens): ReadonlySet<number> {
  const leftOut = new Set<number>();
  for (const token of source.tokens) {
    if (leftOut.has(token.index)) continue;
    const end = findImportEnd(source, token) ?? (source.isTyped ? findTypeEnd(source, token) : null);
    if (end === null) continue;
    for (let { index } = token; index < end; index += 1) leftOut.add(index);
  }
  return leftOut;
}

function findImportEnd({ at, ...list }: SourceTokens, { index, text, kind }: Token): number | null {
  if (kind !== "word" || at(index - 1).text === ".") return null;
  const next = at(index + 1);
  if (text === "import" || text === "require") {
    if (next.text === "(") return next.partner;
    return text === "import" && next.text !== "." ? findStatementEnd({ at, ...list }, index) : null;
  }
  return text === "export" && ["{", "*"].includes(next.text) ? findStatementEnd({ at, ...list }, index) : null;
}

function findTypeEnd(source: SourceTokens, token: Token): number | null {
  if (token.kind === "word") return findDeclarationEnd(source, token) ?? findCastEnd(source, token);
  if (token.text === "<") return findAngleEnd(source.at, token);
  const isType = token.text === ":" && source.colons.get(token.index) === "type";
  return isType ? readType(source.at, token) : null;
}

function findDeclarationEnd(source: SourceTokens, { index, text }: Token): number | null {
  const { at } = source;
  const [name, after] = [at(index + 1), at(index + 2).text];
  if (name.kind !== "word" || at(index - 1).text === ".") return null;
  if (text === "type" && ["=", "<"].includes(after)) return findStatementEnd(source, index);
  if (text !== "interface" && text !== "declare") return null;
  for (let next = name; next.kind !== "end" && next.text !== ";"; next = at(next.index + 1))
    if (next.text === "{") return next.partner;
  return findStatementEnd(source, index);
}

function findCastEnd({ at }: SourceTokens, token: Token): number | null {
  if (token.text !== "as" && token.text !== "satisfies") return null;
  const before = at(token.index - 1);
  return endsOperand(before) || before.text === "}" ? readType(at, token) : null;
}

/** Type arguments touch the name before them; a comparison mostly has spaces. */
function findAngleEnd(at: At, { index, isApart }: Token): number | null {
  const [name, next] = [at(index - 1), at(index + 1)];
  if (isApart || name.kind !== "word" || next.isApart) return null;
  return closeAngle(at, index);
}

const ANGLES: ReadonlyMap<string, number> = new Map([
  ["<", 1],
  [">", -1],
  [">>", -2],
  [">>>", -3],
]);
const IN_TYPES = new Set(["|", "&", ".", ",", "=>", "?", ":", "=", "-", "..."]);

/** Longer lists of type arguments are rare. */
const ANGLE_TOKENS = 300;

/** The index after the last angle; null if these are no type arguments. */
function closeAngle(at: At, from: number): number | null {
  let [depth, steps] = [0, 0];
  for (let token = at(from); token.kind !== "end" && !isCloser(token); token = at(skipGroup(token) + 1)) {
    steps += 1;
    if (steps > ANGLE_TOKENS) return null;
    const step = ANGLES.get(token.text) ?? 0;
    depth += step;
    if (depth <= 0) return token.index + 1;
    if (token.kind === "sign" && step === 0 && token.partner === null && !IN_TYPES.has(token.text)) return null;
  }
  return null;
}

const OPERATORS = /^(?:[:|&.<-]|=>|as|satisfies|is|extends|keyof|typeof|readonly|infer|asserts|unique|new)$/u;

/** The index after the type that follows a colon or a cast. */
function readType(at: At, start: Token): number {
  let index = start.index + 1;
  for (let token = at(index); token.kind !== "end"; token = at(index)) {
    const isAwaited = OPERATORS.test(at(index - 1).text);
    if (isCloser(token) || endsType({ token, start, isAwaited, before: at(start.index - 1) })) return index;
    index = token.text === "<" ? (closeAngle(at, index) ?? index + 1) : skipGroup(token) + 1;
  }
  return index;
}

interface TypePlace {
  readonly token: Token;
  readonly start: Token;
  readonly before: Token;
  /** Whether the type cannot end before this token. */
  readonly isAwaited: boolean;
}

function endsType({ token, start, before, isAwaited }: TypePlace): boolean {
  const { kind, text } = token;
  if (text === "=>") return before.text === ")" && start.text === ":";
  if (isAwaited) return false;
  if (text === "{") return true;
  if (kind === "sign")
    return !["|", "&", ".", "<", "[", "("].includes(text) || (text !== "|" && text !== "&" && token.isFirst);
  return token.isFirst && !["is", "extends"].includes(text);
}
