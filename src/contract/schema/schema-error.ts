/**
 * The one way to read a document: a valid value, or every problem in words that a person or an agent can act on.
 *
 * Each problem names the place, what was found and what was expected. An unknown key is named with the nearest known
 * one, a missing key is called missing, and an error inside a union points into the branch that was meant.
 */
import * as v from "valibot";
import { findNearestName } from "./nearest-name.ts";
import { listDiscriminators, type Path, findSchemaAt, findShapeProblems, type ShapeProblem } from "./schema-walk.ts";
import {
  describeChoice,
  describeExpectation,
  describeLimit,
  listLiterals,
  describePlace,
  describeValue,
} from "./schema-wording.ts";

interface SchemaProblem {
  /** `scope.allowed_globs[2]`; empty for the document as a whole. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
  /** The name or the value that was probably meant. */
  readonly hint: string | null;
  /** All of it in one sentence without a full stop. */
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

const subject = (path: string) => (path === "" ? "the document" : `\`${path}\``);

function shapeWords(problem: ShapeProblem, { schema, value }: Source): SchemaProblem {
  const path = describePlace(problem.path);
  if (problem.kind === "list_for_object") {
    const expected = describeExpectation(findSchemaAt(schema, value, problem.path) ?? schema);
    return {
      path,
      found: "a list",
      expected,
      hint: null,
      message: `${subject(path)} is a list, expected ${expected}`,
    };
  }
  const hint = findNearestName(String(problem.path.at(-1)), problem.known);
  const expected = describeChoice(problem.known.map((key) => `\`${key}\``));
  const listed = problem.known.length > MOST_KEYS_LISTED ? "" : `, expected ${expected}`;
  const message = `unknown key ${subject(path)}${hint === null ? listed : `, did you mean \`${hint}\`?`}`;
  return { path, found: "an unknown key", expected, hint, message };
}

function pathOf(issue: v.BaseIssue<unknown>): Path {
  return (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
}

/** The validator's own sentences all begin like this; every other message is a reason that we wrote. */
const reasonOf = (issue: v.BaseIssue<unknown>) => (issue.message.startsWith("Invalid ") ? null : issue.message);

const isUnknownKey = (issue: v.BaseIssue<unknown>) =>
  issue.type === "strict_object" && issue.expected === "never" && issue.path?.at(-1)?.origin === "key";

function isMissing(issue: v.BaseIssue<unknown>): boolean {
  const last = issue.path?.at(-1);
  if (issue.type === "strict_object") return last?.origin === "key";
  return issue.type === "variant" && last !== undefined && last.value === undefined;
}

/** What the place asks for. Of a variant whose branch is unknown, that is what tells the branches apart. */
function expectedOf(issue: v.BaseIssue<unknown>, { schema, value }: Source): v.GenericSchema | null {
  const path = pathOf(issue);
  if (issue.type !== "variant" || path.length === 0) return findSchemaAt(schema, value, path);
  const variant = findSchemaAt(schema, value, path.slice(0, -1));
  const options = variant === null ? [] : listDiscriminators(variant, String(path.at(-1)));
  return options.length === 0 ? null : v.union([...options]);
}

/** An issue with everything that its sentence is made of. */
interface Case {
  readonly issue: v.BaseIssue<unknown>;
  readonly path: string;
  readonly found: string;
  readonly schema: v.GenericSchema | null;
  readonly open: string;
  readonly reason: string | null;
}

function caseOf(issue: v.BaseIssue<unknown>, source: Source): Case {
  const last = issue.path?.at(-1);
  const schema = expectedOf(issue, source);
  return {
    issue,
    path: describePlace(pathOf(issue)),
    found: isMissing(issue) ? "nothing" : describeValue(last?.origin === "value" ? last.value : issue.input),
    schema,
    open: schema === null ? (issue.expected ?? "something else") : describeExpectation(schema),
    reason: reasonOf(issue),
  };
}

const because = ({ reason }: Case) => (reason === null ? "" : `: ${reason}`);

function missingWords(missing: Case): SchemaProblem {
  const { path, found, open: expected } = missing;
  const message = `${subject(path)} is missing${because(missing) || `, expected ${expected}`}`;
  return { path, found, expected, hint: null, message };
}

function refusedWords(refused: Case): SchemaProblem {
  const { path, found } = refused;
  const message = `${subject(path)} is not allowed here${because(refused)}`;
  return { path, found, expected: "nothing", hint: null, message };
}

function typeWords(mistyped: Case): SchemaProblem {
  const { path, found, open: expected, issue, schema } = mistyped;
  const hint = typeof issue.input === "string" && schema !== null ? nearestLiteral(issue.input, schema) : null;
  const question = hint === null ? "" : `, did you mean ${JSON.stringify(hint)}?`;
  const message = `${subject(path)} is ${found}, expected ${expected}${because(mistyped)}${question}`;
  return { path, found, expected, hint, message };
}

function limitWords(outside: Case): SchemaProblem {
  const { path, found, issue, reason } = outside;
  const limit = issue.type === "regex" && reason !== null ? null : describeLimit(issue);
  const expected = limit ?? reason ?? outside.open;
  const wanted = limit === null ? "" : `, expected ${limit}`;
  const message = `${subject(path)} is ${found}${wanted}${because(outside)}`;
  return { path, found, expected, hint: null, message };
}

function issueWords(issue: v.BaseIssue<unknown>, source: Source): SchemaProblem {
  const found = caseOf(issue, source);
  if (isMissing(issue)) return missingWords(found);
  if (issue.type === "never") return refusedWords(found);
  return issue.kind === "schema" ? typeWords(found) : limitWords(found);
}

function nearestLiteral(value: string, schema: v.GenericSchema): string | null {
  return findNearestName(
    value,
    listLiterals(schema).filter((literal) => typeof literal === "string"),
  );
}

/** An error of a union is the error of the alternative that got furthest, not the fact that none fits. */
function specific(issue: v.BaseIssue<unknown>): readonly v.BaseIssue<unknown>[] {
  const inner = (issue.issues ?? []).filter((part) => (part.path ?? []).length > 0);
  if (issue.type !== "union" || inner.length === 0) return [issue];
  return inner.flatMap((part) => specific({ ...part, path: joined(issue.path, part.path) }));
}

function joined(before: v.BaseIssue<unknown>["path"], after: v.BaseIssue<unknown>["path"]) {
  if (before === undefined || after === undefined) return before ?? after;
  const [first, ...rest] = before;
  return [first, ...rest, ...after] satisfies v.BaseIssue<unknown>["path"];
}

const parentOf = (issue: v.BaseIssue<unknown>) => describePlace(pathOf(issue).slice(0, -1));

/** Where a missing key has a reason, nothing else beside it is worth saying: the document is of no kind at all. */
function withoutNoise(issues: readonly v.BaseIssue<unknown>[]): readonly v.BaseIssue<unknown>[] {
  const undecided = new Set(issues.filter((issue) => isMissing(issue) && reasonOf(issue) !== null).map(parentOf));
  return issues.filter((issue) => issue.type !== "never" || !undecided.has(parentOf(issue)));
}

/** Tells whether a path leads through one of the places, in time that does not depend on how many there are. */
function throughAny(places: readonly Path[]): (path: Path) => boolean {
  const known = new Set(places.map((place) => JSON.stringify(place)));
  return (path) =>
    known.size > 0 && [...path, ""].some((_, length) => known.has(JSON.stringify(path.slice(0, length))));
}

/** Validates a value and puts every problem into words. */
export function parseWith<S extends v.GenericSchema>(schema: S, value: unknown): Parsed<v.InferOutput<S>> {
  const result = v.safeParse(schema, value);
  const shape = [...findShapeProblems(schema, value)];
  if (result.success && shape.length === 0) return { kind: "valid", value: result.output };
  const source = { schema, value };
  const isInList = throughAny(shape.filter(({ kind }) => kind === "list_for_object").map(({ path }) => path));
  const issues: v.BaseIssue<unknown>[] = [...(result.issues ?? [])];
  const problems = withoutNoise(issues.flatMap(specific))
    .filter((issue) => !isUnknownKey(issue) && !isInList(pathOf(issue)))
    .map((issue) => issueWords(issue, source));
  return { kind: "invalid", problems: [...shape.map((problem) => shapeWords(problem, source)), ...problems] };
}
