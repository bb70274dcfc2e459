/**
 * Paths and globs of people and agents, always relative to the root of the repository. A glob with a leading `!` would
 * mean "everything but", one with a leading `/` or with `..` would match nothing: both would silently remove a
 * protection, so they are refused.
 */
import * as v from "valibot";

const INSIDE = /^(?!\/)(?!(?:[\s\S]*\/)?\.\.(?:\/|$))[^\0]*$/;
const INSIDE_REASON = "it must stay inside the repository: no leading `/`, no `..`, no NUL";
const GLOB = /^(?![!/])(?!(?:[\s\S]*\/)?\.\.(?:\/|$))[^\0]*$/;
const GLOB_REASON = "a glob must not begin with `!` or `/` and must not contain `..` or NUL";

const MAX_LENGTH = 400;

export const RepositoryPath = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(MAX_LENGTH),
  v.regex(INSIDE, INSIDE_REASON),
);

export const Glob = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_LENGTH), v.regex(GLOB, GLOB_REASON));

/** A glob of a task: agents get half the length. */
export const TaskGlob = v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.regex(GLOB, GLOB_REASON));
