/** JavaScript and TypeScript as tokens, with their brackets matched. */
import type { Language } from "../weakening/language.ts";
import { listParts } from "../weakening/scan-source.ts";

type TokenKind = "word" | "number" | "string" | "template" | "regex" | "sign" | "end";

export interface Token {
  readonly index: number;
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether white space or a comment stands before it. */
  readonly isApart: boolean;
  /** Whether it is the first of its line. */
  readonly isFirst: boolean;
  /** The index of the other bracket; null for other tokens, and where it is missing. */
  readonly partner: number | null;
  /** The index of the bracket around it; null at the top. */
  readonly owner: number | null;
}

export interface TokenList {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Beyond the ends there is an empty token. */
  readonly at: (index: number | null) => Token;
}

const TOKEN =
  /(?<word>[\p{ID_Start}$_#][\p{ID_Continue}$]*)|(?<number>\.?\d[\w.]*)|(?<sign>>>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|[+\-*/%&|^]=|<<|>>|\*\*|\S)/gu;

const NOTHING: Token = {
  index: -1,
  kind: "end",
  text: "",
  start: 0,
  end: 0,
  isApart: true,
  isFirst: true,
  partner: null,
  owner: null,
};

type Piece = Pick<Token, "kind" | "text" | "start" | "end">;

export function readTokens(text: string, language: Language): TokenList {
  const pieces = listPieces(text, language);
  const { partners, owners } = matchBrackets(pieces);
  const tokens = pieces.map((piece, index): Token => {
    const between = text.slice(pieces[index - 1]?.end ?? 0, piece.start);
    return {
      ...piece,
      index,
      isApart: between !== "",
      isFirst: index === 0 || between.includes("\n"),
      partner: partners.get(index) ?? null,
      owner: owners[index] ?? null,
    };
  });
  return { text, tokens, at: (index) => (index === null ? NOTHING : (tokens[index] ?? NOTHING)) };
}

function listPieces(text: string, language: Language): readonly Piece[] {
  const pieces: Piece[] = [];
  let last = 0;
  for (const { kind, start, end } of listParts(text, language)) {
    pieces.push(...splitCode(text, last, start));
    const literal = text.slice(start, end);
    if (kind === "string") pieces.push({ kind: nameLiteral(literal), text: literal, start, end });
    last = end;
  }
  return [...pieces, ...splitCode(text, last, text.length)];
}

function nameLiteral(text: string): TokenKind {
  if (text.startsWith("/")) return "regex";
  return /^["']/u.test(text) ? "string" : "template";
}

function splitCode(text: string, from: number, to: number): readonly Piece[] {
  return [...text.slice(from, to).matchAll(TOKEN)].map(({ 0: found, index, groups = {} }) => {
    const kind = groups["word"] !== undefined ? "word" : groups["number"] !== undefined ? "number" : "sign";
    return { kind, text: found, start: from + index, end: from + index + found.length };
  });
}

/** The code in a template stands between brackets, too: `${` and `}`. */
const opens = ({ kind, text }: Piece): boolean =>
  kind === "template" ? text.endsWith("${") : kind === "sign" && /^[([{]$/u.test(text);
const closes = ({ kind, text }: Piece): boolean =>
  kind === "template" ? text.startsWith("}") : kind === "sign" && /^[)\]}]$/u.test(text);

function matchBrackets(pieces: readonly Piece[]) {
  const partners = new Map<number, number>();
  const open: number[] = [];
  const owners = pieces.map((piece, index) => {
    const isMiddle = closes(piece) && opens(piece);
    // The middle of a template stands beside its ends.
    if (isMiddle) return open.at(-2);
    const opener = closes(piece) ? open.pop() : undefined;
    if (opener !== undefined) {
      partners.set(opener, index);
      partners.set(index, opener);
    }
    const owner = open.at(-1);
    if (opens(piece)) open.push(index);
    return owner;
  });
  return { partners, owners };
}

const NO_OPERANDS = new Set(
  "return typeof case in of do else void delete throw new await yield instanceof function if while async extends default export import const let var as satisfies".split(
    " ",
  ),
);

/** Whether an expression can end with it. */
export function endsOperand({ kind, text }: Token): boolean {
  if (kind === "word") return !NO_OPERANDS.has(text);
  return kind === "sign" ? text === ")" || text === "]" : kind !== "end" && !text.endsWith("${");
}

/** Whether an expression can begin with it. */
export function beginsOperand({ kind, text }: Token): boolean {
  if (kind === "sign") return ["(", "[", "!", "-"].includes(text);
  return kind !== "end" && !text.startsWith("}");
}

const CONTINUES = new Set(["in", "of", "instanceof", "as", "satisfies", "extends", "is"]);
const BEGINS_LINE = new Set(["{", "!", "++", "--", "@", "~", ")", "]", "}"]);

/** The index after the last token of the statement, or of the rest of it, that begins here. */
export function findStatementEnd({ at }: TokenList, from: number): number {
  const { owner } = at(from);
  let index = from;
  for (let token = at(from); token.kind !== "end"; token = at(index)) {
    if (token.owner !== owner || token.text === ";" || isCloser(token)) return index;
    if (index > from && beginsStatement(at(index - 1), token)) return index;
    index = skipGroup(token) + 1;
  }
  return index;
}

function beginsStatement(before: Token, token: Token): boolean {
  return token.isFirst && isAfterWhole(before) && !continuesLine(token);
}

/** The index of the last token of a group that begins here, or of the token itself. */
export function skipGroup({ index, partner }: Token): number {
  return partner !== null && partner > index ? partner : index;
}

export const isCloser = ({ kind, text }: Token): boolean => closes({ kind, text, start: 0, end: 0 });

const isAfterWhole = (token: Token): boolean => endsOperand(token) || ["}", "++", "--"].includes(token.text);

function continuesLine({ kind, text }: Token): boolean {
  if (kind === "word") return CONTINUES.has(text);
  return kind === "sign" && !BEGINS_LINE.has(text);
}
