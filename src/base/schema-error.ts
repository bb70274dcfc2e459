/**
 * Reads a document: a valid value, or every problem in words that a person or an agent can act on. Each problem names
 * the place, the value and the expectation. An unknown key comes with the nearest known one, and an error inside a
 * union points into the intended branch.
 */
import * as v from "valibot";
import { findNearestName } from "./nearest-name.ts";
import {
  describeChoice,
  describeExpectation,
  describeLimit,
  describePlace,
  describeValue,
  findSchemaAt,
  findShapeProblems,
  listDiscriminators,
  listLiterals,
  type Path,
  type ShapeProblem,
} from "./schema-walk.ts";

interface SchemaProblem {
  /** `scope.allowed_globs[2]`; empty for the document as a whole. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
  readonly hint: string | null;
  /** One sentence without a full stop. */
  readonly message: string;
}

export type Parsed<T> =
  | { readonly kind: "valid"; readonly value: T }
  | { readonly kind: "invalid"; readonly problems: readonly SchemaProblem[] };

interface Source {
  readonly schema: v.GenericSchema;
  readonly value: unknown;
}

const MOST_KEYS_LISTED = 12;

const nameSubject = (path: string) => (path === "" ? "the document" : `\`${path}\``);

function describeShape(problem: ShapeProblem, { schema, value }: Source): SchemaProblem {
  const path = describePlace(problem.path);
  if (problem.kind === "list_for_object") {
    const expected = describeExpectation(findSchemaAt(schema, value, problem.path) ?? schema);
    return {
      path,
      found: "a list",
      expected,
      hint: null,
      message: `${nameSubject(path)} is a list, expected ${expected}`,
    };
  }
  const hint = findNearestName(String(problem.path.at(-1)), problem.known);
  const expected = describeChoice(problem.known.map((key) => `\`${key}\``));
  const listed = problem.known.length > MOST_KEYS_LISTED ? "" : `, expected ${expected}`;
  const message = `unknown key ${nameSubject(path)}${hint === null ? listed : `, did you mean \`${hint}\`?`}`;
  return { path, found: "an unknown key", expected, hint, message };
}

function writePath(issue: v.BaseIssue<unknown>): Path {
  return (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
}

/** All of the validator's own sentences begin like this; other messages are reasons of our own. */
const findReason = (issue: v.BaseIssue<unknown>) => (issue.message.startsWith("Invalid ") ? null : issue.message);

const isUnknownKey = (issue: v.BaseIssue<unknown>) =>
  issue.type === "strict_object" && issue.expected === "never" && issue.path?.at(-1)?.origin === "key";

function isMissing(issue: v.BaseIssue<unknown>): boolean {
  const last = issue.path?.at(-1);
  if (issue.type === "strict_object") return last?.origin === "key";
  return issue.type === "variant" && last !== undefined && last.value === undefined;
}

/** If the branch of a variant is unknown, the discriminator. */
function describeExpected(issue: v.BaseIssue<unknown>, { schema, value }: Source): v.GenericSchema | null {
  const path = writePath(issue);
  if (issue.type !== "variant" || path.length === 0) return findSchemaAt(schema, value, path);
  const variant = findSchemaAt(schema, value, path.slice(0, -1));
  const options = variant === null ? [] : listDiscriminators(variant, String(path.at(-1)));
  return options.length === 0 ? null : v.union([...options]);
}

interface IssueCase {
  readonly issue: v.BaseIssue<unknown>;
  readonly path: string;
  readonly found: string;
  readonly schema: v.GenericSchema | null;
  readonly open: string;
  readonly reason: string | null;
}

function chooseCase(issue: v.BaseIssue<unknown>, source: Source): IssueCase {
  const last = issue.path?.at(-1);
  const schema = describeExpected(issue, source);
  return {
    issue,
    path: describePlace(writePath(issue)),
    found: isMissing(issue) ? "nothing" : describeValue(last?.origin === "value" ? last.value : issue.input),
    schema,
    open: schema === null ? (issue.expected ?? "something else") : describeExpectation(schema),
    reason: findReason(issue),
  };
}

const joinReason = ({ reason }: IssueCase) => (reason === null ? "" : `: ${reason}`);

function describeMissing(missing: IssueCase): SchemaProblem {
  const { path, found, open: expected } = missing;
  const message = `${nameSubject(path)} is missing${joinReason(missing) || `, expected ${expected}`}`;
  return { path, found, expected, hint: null, message };
}

function describeRefused(refused: IssueCase): SchemaProblem {
  const { path, found } = refused;
  const message = `${nameSubject(path)} is not allowed here${joinReason(refused)}`;
  return { path, found, expected: "nothing", hint: null, message };
}

function describeType(mistyped: IssueCase): SchemaProblem {
  const { path, found, open: expected, issue, schema } = mistyped;
  const hint = typeof issue.input === "string" && schema !== null ? findNearestLiteral(issue.input, schema) : null;
  const question = hint === null ? "" : `, did you mean ${JSON.stringify(hint)}?`;
  const message = `${nameSubject(path)} is ${found}, expected ${expected}${joinReason(mistyped)}${question}`;
  return { path, found, expected, hint, message };
}

function limitWords(outside: IssueCase): SchemaProblem {
  const { path, found, issue, reason } = outside;
  const limit = issue.type === "regex" && reason !== null ? null : describeLimit(issue);
  const expected = limit ?? reason ?? outside.open;
  const wanted = limit === null ? "" : `, expected ${limit}`;
  const message = `${nameSubject(path)} is ${found}${wanted}${joinReason(outside)}`;
  return { path, found, expected, hint: null, message };
}

function describeIssue(issue: v.BaseIssue<unknown>, source: Source): SchemaProblem {
  const found = chooseCase(issue, source);
  if (isMissing(issue)) return describeMissing(found);
  if (issue.type === "never") return describeRefused(found);
  return issue.kind === "schema" ? describeType(found) : limitWords(found);
}

function findNearestLiteral(value: string, schema: v.GenericSchema): string | null {
  return findNearestName(
    value,
    listLiterals(schema).filter((literal) => typeof literal === "string"),
  );
}

/** The error of a union is that of the alternative that got furthest. */
function pickSpecific(issue: v.BaseIssue<unknown>): readonly v.BaseIssue<unknown>[] {
  const inner = (issue.issues ?? []).filter((part) => (part.path ?? []).length > 0);
  if (issue.type !== "union" || inner.length === 0) return [issue];
  return inner.flatMap((part) => pickSpecific({ ...part, path: joinSentences(issue.path, part.path) }));
}

function joinSentences(before: v.BaseIssue<unknown>["path"], after: v.BaseIssue<unknown>["path"]) {
  if (before === undefined || after === undefined) return before ?? after;
  const [first, ...rest] = before;
  return [first, ...rest, ...after] satisfies v.BaseIssue<unknown>["path"];
}

const findParent = (issue: v.BaseIssue<unknown>) => describePlace(writePath(issue).slice(0, -1));

/** If a missing key has a reason, nothing else is worth saying. */
function withoutNoise(issues: readonly v.BaseIssue<unknown>[]): readonly v.BaseIssue<unknown>[] {
  const undecided = new Set(issues.filter((issue) => isMissing(issue) && findReason(issue) !== null).map(findParent));
  return issues.filter((issue) => issue.type !== "never" || !undecided.has(findParent(issue)));
}

/** Its time does not depend on the number of places. */
function joinWithAny(places: readonly Path[]): (path: Path) => boolean {
  const known = new Set(places.map((place) => JSON.stringify(place)));
  return (path) =>
    known.size > 0 && [...path, ""].some((_, length) => known.has(JSON.stringify(path.slice(0, length))));
}

/** The first problems in one line. */
export function joinProblems(problems: readonly Pick<SchemaProblem, "message">[]): string {
  return problems
    .slice(0, 5)
    .map(({ message }) => message)
    .join("; ");
}

export function parseWith<S extends v.GenericSchema>(schema: S, value: unknown): Parsed<v.InferOutput<S>> {
  const result = v.safeParse(schema, value);
  const shape = [...findShapeProblems(schema, value)];
  if (result.success && shape.length === 0) return { kind: "valid", value: result.output };
  const source = { schema, value };
  const isInList = joinWithAny(shape.filter(({ kind }) => kind === "list_for_object").map(({ path }) => path));
  const issues: v.BaseIssue<unknown>[] = [...(result.issues ?? [])];
  const problems = withoutNoise(issues.flatMap(pickSpecific))
    .filter((issue) => !isUnknownKey(issue) && !isInList(writePath(issue)))
    .map((issue) => describeIssue(issue, source));
  return { kind: "invalid", problems: [...shape.map((problem) => describeShape(problem, source)), ...problems] };
}
