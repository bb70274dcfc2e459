/** The roles of braces and colons, as far as tokens show them. */
import { endsOperand, isCloser, type Token, type TokenList } from "./read-tokens.ts";

export type BraceRole = "block" | "class" | "object" | "pattern";
/** A colon after a key, in a conditional expression, after a case or label, or before a type. */
export type ColonRole = "property" | "choice" | "case" | "type";

export interface TokenRoles {
  readonly braces: ReadonlyMap<number, BraceRole>;
  readonly colons: ReadonlyMap<number, ColonRole>;
}

interface Frame {
  /** What the next colons belong to, the newest last. */
  readonly pending: ("choice" | "case")[];
  isClass: boolean;
}

interface Reading {
  readonly list: TokenList;
  readonly braces: Map<number, BraceRole>;
  readonly colons: Map<number, ColonRole>;
}

export function readRoles(list: TokenList): TokenRoles {
  const reading: Reading = { list, braces: new Map(), colons: new Map() };
  const frames = new Map<number | null, Frame>();
  for (const token of list.tokens) {
    const frame = frames.get(token.owner) ?? { pending: [], isClass: false };
    frames.set(token.owner, frame);
    if (token.kind === "word") readWord(list, token, frame);
    else if (token.kind === "sign") readSign(reading, token, frame);
  }
  return reading;
}

function readWord({ at }: TokenList, { text, index }: Token, frame: Frame): void {
  const [before, next] = [at(index - 1).text, at(index + 1)];
  if (before === "." || before === "?.") return;
  if (text === "class" && (next.kind === "word" || next.text === "{")) frame.isClass = true;
  else if (text === "case" && next.text !== ":" && next.text !== "(") frame.pending.push("case");
}

function readSign(reading: Reading, token: Token, frame: Frame): void {
  const { list, braces, colons } = reading;
  if (token.text === "{") {
    braces.set(token.index, frame.isClass ? "class" : findBraceRole(reading, token));
    frame.isClass = false;
  } else if (token.text === "?" && !isOptionalMark(list, token)) frame.pending.push("choice");
  else if (token.text === ":") colons.set(token.index, frame.pending.pop() ?? findColonRole(reading, token));
  else if (token.text === ";") frame.pending.length = 0;
}

/** The question mark of TypeScript after a name. */
function isOptionalMark({ at }: TokenList, { index }: Token): boolean {
  const next = at(index + 1);
  return [":", ",", "=", ";"].includes(next.text) || isCloser(next) || (next.text === "(" && !next.isApart);
}

const BEFORE_OBJECT = /^(?:[=([,?+]|&&|\|\||\?\?|\?\?=|\|\|=|&&=|\.\.\.|return|throw|yield|await|default|in|of)$/u;

function findBraceRole({ list: { at }, braces, colons }: Reading, { index, owner }: Token): BraceRole {
  const before = at(index - 1);
  if (owner !== null && braces.get(owner) === "pattern" && before.text !== "=") return "pattern";
  if (["const", "let", "var"].includes(before.text)) return "pattern";
  if (before.text === ":") return colons.get(before.index) === "case" ? "block" : "object";
  if (before.kind === "template") return "object";
  return BEFORE_OBJECT.test(before.text) ? "object" : "block";
}

function findColonRole({ list: { at }, braces }: Reading, { index, owner }: Token): ColonRole {
  const around = owner === null ? "block" : (braces.get(owner) ?? "bracket");
  const before = at(index - 1);
  if (around === "bracket" || around === "class" || before.text === ")") return "type";
  if (around === "object" || around === "pattern") return "property";
  return before.text === "default" || isLabel(at, before) ? "case" : "type";
}

function isLabel(at: TokenList["at"], name: Token): boolean {
  const before = at(name.index - 1);
  return (
    name.kind === "word" && name.isFirst && !["const", "let", "var", ","].includes(before.text) && !endsOperand(before)
  );
}
