/**
 * Which tasks of one answer are worked on at the same time: those with a session, as long as no two of them may change
 * the same path. All others are worked on after them, one by one.
 */
import type { Task } from "../../records/task.ts";
import { compileAllowed } from "../../base/globs.ts";

/** The first task is always the first of them; alone it is worked on as usual. */
export function listSideBySide(task: Task, also: readonly Task[]): readonly Task[] {
  if (!hasSession(task)) return [task];
  return also.reduce<readonly Task[]>(
    (chosen, next) => (hasSession(next) && !chosen.some((one) => mayMeet(one, next)) ? [...chosen, next] : chosen),
    [task],
  );
}

/** A patch is applied in its own tick. */
function hasSession({ builder }: Task): boolean {
  return builder !== undefined && builder.mode !== "patch";
}

function mayMeet(one: Task, other: Task): boolean {
  const [mine, yours] = [one, other].map(({ scope }) => scope?.allowed_globs ?? []);
  return mine?.some((glob) => yours?.some((that) => mayMatchSame(glob, that)) === true) === true;
}

const WILD = /[*?[\]{}()!+@\\]/u;

/**
 * Two globs may match the same path. A plain path is compared by matching it; of two patterns, the parts before the
 * first wild card are compared. This errs towards "they may".
 */
function mayMatchSame(one: string, other: string): boolean {
  if (!WILD.test(one)) return one === other || compileAllowed([other])(one) !== null;
  if (!WILD.test(other)) return compileAllowed([one])(other) !== null;
  const [first, second] = [findFixedPart(one), findFixedPart(other)];
  return first.startsWith(second) || second.startsWith(first);
}

function findFixedPart(glob: string): string {
  return glob.slice(0, glob.search(WILD)).toLowerCase();
}
