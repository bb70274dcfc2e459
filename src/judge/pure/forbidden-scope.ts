import { validateGlob } from "../../base/glob-validity.ts";
import type { ProtectedClass } from "../../config/protected-paths.ts";
import type { Change } from "../../records/evidence.ts";
import { isDirectoryOnly } from "./blast-radius.ts";
import { makeClassTest, makeHeldTest } from "./lifted-paths.ts";
import { HELD } from "../../records/suspicions.ts";
import { type Gate, listIgnoredChanges, decideIgnoredFate, type GateRefusal, listVisibleChanges } from "./gate.ts";

/** The cause of a change that is held for its path. */
export const STARTS_PROGRAMS = "starts_programs";

/**
 * Refuses every changed path under a forbidden glob, also where it is allowed or ignored. A file that starts programs is
 * held for a person, unless a person forbade it or git ignores it: then nobody would see it.
 */
export const forbiddenScope: Gate = {
  id: "forbidden-scope",
  refuse: (gateInput) => {
    const { rules } = gateInput.evidence;
    const findClass = makeClassTest(rules);
    const isHeld = makeHeldTest(rules);
    const refuse = (path: string, glob: string): readonly GateRefusal[] => [refusePath(path, glob, findClass(path))];
    const hold = (refusal: GateRefusal): GateRefusal => ({
      ...refusal,
      ...(isHeld(refusal.subject) ? { code: HELD } : {}),
    });
    return [
      ...listVisibleChanges(gateInput).flatMap((change) => {
        const glob = gateInput.forbidden(change.path);
        return glob === null || holdsLifted(change, rules.lifted_paths) ? [] : refuse(change.path, glob).map(hold);
      }),
      ...listIgnoredChanges(gateInput).flatMap((change) => {
        const fate = decideIgnoredFate(gateInput, change);
        return fate.kind === "protected" ? refuse(change.path, fate.glob) : [];
      }),
    ];
  },
};

/** A folder that is made for a path that a person lifted. */
function holdsLifted(change: Change, lifted: readonly string[] = []): boolean {
  return isDirectoryOnly(change) && lifted.some((path) => path.startsWith(`${change.path}/`));
}

const BY_NAME = "It may change where your own sentence, or a file given by --task, names this path.";
const WORDS = {
  secrets: "It has the name of a secret, and nothing lifts that: change it yourself.",
  instructions: `It tells agents and editors what to do. ${BY_NAME}`,
  programs: "It starts programs where somebody opens the repository.",
  ci: `It decides what CI runs. ${BY_NAME}`,
} as const satisfies Record<ProtectedClass, string>;

function refusePath(subject: string, glob: string, found: ProtectedClass | null): GateRefusal {
  const problem = validateGlob(glob);
  const rule =
    problem === null
      ? "The path, or a folder above it, matches a forbidden glob."
      : `A forbidden glob cannot be read, so nothing passes: it ${problem}.`;
  return {
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
    subject,
    rule: found === null || problem !== null ? rule : WORDS[found],
    glob,
  };
}
