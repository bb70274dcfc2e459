/** The gates that need one measurement each. A gate answers with the refusals of one change, or with none. */
import type { BuilderFailure, Change, GitArea, Head, MetadataChange } from "../../records/evidence.ts";
import {
  decideIgnoredFate,
  type Gate,
  type GateInput,
  type GateRefusal,
  grants,
  listIgnoredChanges,
  listVisibleChanges,
} from "./gate.ts";
import { listPathNote, quote, shortenList } from "../../base/words.ts";
import { validateGlob } from "../../base/glob-validity.ts";
import type { ProtectedClass } from "../../config/protected-paths.ts";
import { isDirectoryOnly, isNewFile, measureBlastRadius } from "./blast-radius.ts";
import { makeClassTest, makeHeldTest } from "./lifted-paths.ts";
import { HELD } from "../../records/suspicions.ts";
import { makeLockfileFinder } from "../../records/dependencies.ts";

/** Refuses the work of a failed builder, and an invalid patch. */
export const builderFailure: Gate = {
  id: "builder-failure",
  refuse: ({ evidence: { builder_failure: failure } }) => (failure === null ? [] : [refuseFailure(failure)]),
};

function refuseFailure({ code, cause }: BuilderFailure): GateRefusal {
  if (code === "STOP_QUESTION")
    return { code, subject: "builder", rule: `The builder gave the task back: ${cause}.`, glob: null };
  const isPatch = code === "STOP_PATCH_INVALID" || code === "STOP_PATCH_APPLY_FAILED";
  return isPatch
    ? { code, subject: "patch", rule: `The patch was refused: ${cause}.`, glob: null }
    : { code, subject: "builder", rule: `The builder failed: ${cause}.`, glob: null };
}

const BRANCH = /^ref: (?<name>.+)$/su;

/** Refuses any change that moved HEAD or the branch it names: only the runner commits. */
export const headMoved: Gate = {
  id: "head-moved",
  refuse: ({ evidence: { head } }) => (head === null ? [] : findMovements(head.before, head.after)),
};

function findMovements(before: Head, after: Head): GateRefusal[] {
  const refusals: GateRefusal[] = [];
  if (before.text !== after.text) {
    refusals.push(refuseMovement("HEAD", `HEAD was ${quote(before.text)} and is now ${quote(after.text)}.`));
  }
  if (before.commit !== after.commit) {
    const subject = BRANCH.exec(after.text)?.groups?.["name"] ?? "HEAD";
    refusals.push(
      refuseMovement(subject, `HEAD was at ${describeCommit(before)} and is now at ${describeCommit(after)}.`),
    );
  }
  return refusals;
}

function refuseMovement(subject: string, rule: string): GateRefusal {
  return { code: "STOP_HEAD_MOVED", subject, rule, glob: null };
}

function describeCommit(head: Head): string {
  return head.commit === null ? "no commit" : quote(head.commit);
}

/*
 * Git's own data belongs to the person, except for what every honest command rewrites. An editor that fetches in the
 * background moves remote-tracking refs during a build, so these are only noted.
 */

type Treatment = { readonly kind: "refuse"; readonly name: string } | { readonly kind: "tell" | "pass" };

const refuseName = (name: string): Treatment => ({ kind: "refuse", name });

const TREATMENT: Readonly<Record<GitArea, Treatment>> = {
  git_dir: refuseName("the git directory"),
  refs: refuseName("a ref"),
  remote_refs: { kind: "tell" },
  stash: refuseName("the stash"),
  reflog: refuseName("a reflog"),
  config: refuseName("git's configuration"),
  hooks: refuseName("a hook"),
  info: refuseName("git's info files"),
  index: refuseName("the index"),
  index_flags: refuseName("a flag of the index"),
  lock: refuseName("a lock of git"),
  operation: refuseName("an unfinished operation of git"),
  worktrees: refuseName("a linked worktree"),
  submodules: refuseName("a submodule's git data"),
  objects: refuseName("the object store"),
  noise: { kind: "pass" },
  other: refuseName("a file of git"),
};

export const gitMetadata: Gate = {
  id: "git-metadata",
  refuse: ({ evidence }) =>
    evidence.metadata.flatMap((change) => {
      const treatment = TREATMENT[change.area];
      if (treatment.kind !== "refuse") return [];
      const rule = describe(treatment.name, change);
      return [{ code: "STOP_GIT_METADATA_MUTATION", subject: change.subject, rule, glob: null }];
    }),
};

/** Notes changes in git's data that do not count against the builder. */
export function listGitMetadataNotes(metadata: readonly MetadataChange[]): readonly string[] {
  const told = metadata.filter((change) => TREATMENT[change.area].kind === "tell");
  if (told.length === 0) return [];
  return [`Remote-tracking refs changed meanwhile: ${shortenList(told.map((change) => change.subject))}.`];
}

function describe(name: string, { change, detail }: MetadataChange): string {
  const more = detail === null ? "" : ` (${quote(detail)})`;
  return `Builders may not change git's data: ${name} was ${change}${more}.`;
}

/** Refuses any change to the runner's own files, ignored or not: an agent must not edit its own verdict. */
export const runnerOwned: Gate = {
  id: "runner-owned",
  refuse: (gateInput) =>
    gateInput.evidence.changes.flatMap(({ path }) => {
      const glob = gateInput.runnerOwned(path);
      if (glob === null) return [];
      const rule = "Builders may not change the files or the configuration of relais.";
      return [{ code: "STOP_RUNNER_OWNED_MUTATION", subject: path, rule, glob }];
    }),
};

const STILL_KINDS = {
  question: { code: "STOP_QUESTION_SIDE_EFFECTS", rule: "A question must change nothing." },
  verify_only: {
    code: "STOP_VERIFY_ONLY_SIDE_EFFECTS",
    rule: "A verify_only task must change nothing.",
  },
} as const;

export const taskKind: Gate = {
  id: "task-kind",
  refuse: (gateInput) => {
    const kind = gateInput.evidence.rules.task_kind;
    if (kind === null || kind === "execute") return [];
    const { code, rule } = STILL_KINDS[kind];
    return gateInput.evidence.changes
      .filter((change) => countsAgainstTask(gateInput, change))
      .map(({ path }) => ({ code, subject: path, rule, glob: null }));
  },
};

/** A question changes nothing at all. Otherwise ignored paths count if their own rules refuse them: a check may fill its cache. */
function countsAgainstTask(gateInput: GateInput, change: Change): boolean {
  if (change.standing !== "ignored") return true;
  if (gateInput.evidence.rules.task_kind === "question") return true;
  const fate = decideIgnoredFate(gateInput, change).kind;
  return fate === "protected" || fate === "refused";
}

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

/** Refuses content of forbidden files at other paths: a commit would make a secret part of the history. */
export const forbiddenContent: Gate = {
  id: "forbidden-content",
  cause: "forbidden_content",
  refuse: (gateInput) =>
    listVisibleChanges(gateInput).flatMap(({ path, forbidden_content: content }) => {
      if (content === undefined) return [];
      const what = content.whole ? "the content" : "a part of the content";
      const rule = `It holds ${what} of the forbidden file ${quote(content.of)}.`;
      return [{ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", subject: path, rule, glob: null }];
    }),
};

/** Keys of known providers: once it is committed, one has to be revoked. The key itself is never quoted. */
export const credentials: Gate = {
  id: "credentials",
  cause: "credential",
  refuse: (gateInput) =>
    listVisibleChanges(gateInput).flatMap(({ path, credentials: found = [] }) =>
      found.map(({ rule, line }) => ({
        code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
        subject: path,
        rule: `It adds a credential in line ${line} (${rule}).`,
        glob: null,
      })),
    ),
};

/** Ignored files are never committed, and honest builds put settings into their output: a note is enough. */
export function listContentNotes(gateInput: GateInput): readonly string[] {
  const copies = listIgnoredChanges(gateInput).filter(isCopy);
  return listPathNote(
    "Ignored files hold the content of forbidden ones",
    copies.map(({ path }) => path),
  );
}

function isCopy({ forbidden_content: content }: Change): boolean {
  return content !== undefined;
}

/** Refuses every changed path that no allowed glob covers, or that lies beyond what the configuration allows at most. */
export const allowedScope: Gate = {
  id: "allowed-scope",
  refuse: (gateInput) =>
    listVisibleChanges(gateInput).flatMap((change) => {
      const rule = findBrokenRule(gateInput, change);
      if (rule === null) return [];
      return [{ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", subject: change.path, rule, glob: null }];
    }),
};

function findBrokenRule({ allowed, ceiling, evidence: { rules } }: GateInput, change: Change): string | null {
  const { allowed_globs: globs, ceiling_globs: most = [] } = rules;
  if (grants(allowed, change) === null)
    return globs.length === 0 ? "No path is allowed." : `Outside the allowed paths (${shortenList(globs)}).`;
  if (ceiling === null || grants(ceiling, change) !== null) return null;
  return `Outside scope.default_allowed_globs (${shortenList(most)}).`;
}

/** Refuses created files where the task may only change what is there. An empty directory is no file. */
export const newFiles: Gate = {
  id: "new-files",
  refuse: (gateInput) =>
    gateInput.evidence.rules.allow_new_files
      ? []
      : listVisibleChanges(gateInput)
          .filter(isNewFile)
          .map(({ path }) => ({
            code: "STOP_SCOPE_VIOLATION_NEW_FILE",
            subject: path,
            rule: "New files are not allowed here.",
            glob: null,
          })),
};

/** Refuses changed lockfiles in any folder, and in any case: a package manager reads them where it finds them. */
export const lockfiles: Gate = {
  id: "lockfiles",
  refuse: (gateInput) => {
    const { allow_lockfile_changes: allowed, lockfiles: names } = gateInput.evidence.rules;
    if (allowed) return [];
    const findName = makeLockfileFinder(names);
    return listVisibleChanges(gateInput).flatMap(({ path }) => {
      const glob = findName(path);
      if (glob === null) return [];
      const rule = "Lockfile changes are not allowed here.";
      return [{ code: "STOP_LOCKFILE_CHANGE_FORBIDDEN", subject: path, rule, glob }];
    });
  },
};

/** Refuses changes of ignored files where the policy forbids them and no writable glob covers them. */
export const ignoredFiles: Gate = {
  id: "ignored-files",
  refuse: (gateInput) =>
    listIgnoredChanges(gateInput).flatMap((change) => {
      const fate = decideIgnoredFate(gateInput, change);
      if (fate.kind !== "refused") return [];
      const { glob } = fate;
      return [{ code: "STOP_IGNORED_MUTATION", subject: change.path, rule: writeRule(change, glob), glob }];
    }),
};

function writeRule(change: Change, guarded: string | null): string {
  const what = `The ignored file was ${FATES[classifyIgnored(change)]}`;
  return guarded === null
    ? `${what}. Ignored files are protected, except ignored_writable_globs.`
    : `${what}. A check starts or loads it, so ignored_writable_globs does not cover it.`;
}

const FATES = { deleted: "deleted", changed: "changed", new: "added" } as const;

function classifyIgnored({ before, after }: Change): keyof typeof FATES {
  if (after === null) return "deleted";
  return before === null ? "new" : "changed";
}

/** Notes ignored files that changed without a reason to stop; a new folder only by its entries. */
export function listIgnoredNotes(gateInput: GateInput): readonly string[] {
  const told = listIgnoredChanges(gateInput).filter(
    (change) => decideIgnoredFate(gateInput, change).kind === "reported",
  );
  const listPaths = (fate: keyof typeof FATES): string[] =>
    told
      .filter((change) => classifyIgnored(change) === fate && !(fate === "new" && isDirectoryOnly(change)))
      .map(({ path }) => path);
  return [
    ...listPathNote("Ignored files were deleted", listPaths("deleted")),
    ...listPathNote("Ignored files were changed", listPaths("changed")),
    ...listPathNote("Ignored files are new", listPaths("new")),
  ];
}

/**
 * Bytes per line of the cap. No honest line is that long, so only a change of few enormous lines meets this limit
 * first.
 */
const BYTES_PER_LINE = 1000;

/** Refuses a change that is larger than its caps in files, in lines or, for enormous lines, in bytes. */
export const diffSize: Gate = {
  id: "diff-size",
  refuse: (gateInput) => {
    const { max_files_touched: filesMax, max_lines_changed: linesMax } = gateInput.evidence.rules;
    const changes = listVisibleChanges(gateInput);
    const { files_touched: files, lines_added, lines_deleted } = measureBlastRadius(changes);
    const bytes = changes.reduce((sum, change) => sum + change.bytes_changed, 0);
    return [
      ...findExcess("files changed", files, filesMax),
      ...findExcess("lines changed", lines_added + lines_deleted, linesMax),
      ...findExcess("bytes changed", bytes, linesMax === null ? null : linesMax * BYTES_PER_LINE),
    ];
  },
};

function findExcess(what: string, measured: number, cap: number | null): GateRefusal[] {
  if (cap === null || measured <= cap) return [];
  const rule = `${measured} ${what}; the limit is ${cap}.`;
  return [{ code: "STOP_DIFF_TOO_LARGE", subject: "the change as a whole", rule, glob: null }];
}

/** Refuses work that left nothing for a commit where the task asks for a change. A builder that failed has its own code. */
export const noChange: Gate = {
  id: "no-change",
  refuse: (gateInput) => {
    const { rules, builder_failure: failure } = gateInput.evidence;
    if (rules.change_required !== true || failure !== null) return [];
    if (measureBlastRadius(listVisibleChanges(gateInput)).files_touched > 0) return [];
    const rule = "The task asks for a change, but no committable file changed.";
    return [{ code: "STOP_NO_CHANGE", subject: "the change as a whole", rule, glob: null }];
  },
};
