/**
 * What the checks changed, and whether they may have.
 *
 * The change that was judged is the one to be kept, so a check may not rewrite any part of it, nor anything else but
 * what it is known to leave behind: paths under the scratch globs, and ignored build output that a builder may write
 * as well. The runner's own files and git's data are never scratch; only what every honest git command or an editor
 * that fetches in the background leaves in git's folder is let pass, as the judge does.
 */
import type { Change, Evidence } from "../../contract/evidence/evidence.ts";
import type { Finding } from "../../contract/evidence/judgement.ts";
import { compileAllowed, compileForbidden } from "../paths/globs.ts";
import { grants, decideIgnoredFate, type GateInput, compileRules } from "../judge/gate.ts";
import { classifyGitPath } from "../observation/git-area.ts";

interface Aftermath {
  /** Every path that is not as it was when the change was judged; those of git's folder follow `git: `. */
  readonly changed: readonly string[];
  /** The evidence that was judged, and the same measured again after the checks. */
  readonly judged: Evidence;
  readonly now: Evidence;
  readonly scratchGlobs: readonly string[];
  /** Whether nothing may change, ignored files included; true for reviewers. */
  readonly isStill?: boolean;
  readonly git: {
    /** Where this worktree's own data lies below the common git directory. */
    readonly ownPrefix: string;
    /** Whether a path below it was not there when the change was judged. */
    readonly isNew: (path: string) => boolean;
    /** Whether the index, if it was written anew, still says the same and only notes other times. */
    readonly isSameIndex: boolean;
  };
}

interface SideEffects {
  readonly findings: readonly Finding[];
  /** What changed and may have: it is not part of the candidate and no reason to refuse it. */
  readonly tolerated: readonly string[];
}

const GIT = "git: ";
/** More findings than this say nothing new; the number of the rest is told. */
const FINDINGS_MAX = 100;

/** Sorts what the checks changed into findings and what is tolerated. */
export function checkSideEffects(aftermath: Aftermath): SideEffects {
  const reasonFor = reasons(aftermath);
  const findings: Finding[] = [];
  const tolerated: string[] = [];
  for (const path of aftermath.changed) {
    const rule = reasonFor(path);
    if (rule === null) tolerated.push(path);
    else findings.push(finding(path === "" ? "." : path, rule));
  }
  return { findings: cut(findings), tolerated };
}

function finding(subject: string, rule: string): Finding {
  return { gate: "verify-side-effects", code: "STOP_VERIFY_SIDE_EFFECTS", subject, rule, glob: null };
}

function cut(findings: readonly Finding[]): readonly Finding[] {
  const rest = findings.length - FINDINGS_MAX;
  if (rest <= 0) return findings;
  return [...findings.slice(0, FINDINGS_MAX), finding(`${rest} more paths`, "The checks changed these as well.")];
}

/** Says for each path why it may not have changed; null where it may. */
function reasons({ changed, judged, now, scratchGlobs, git, isStill = false }: Aftermath) {
  const gateInput = compileRules(now);
  const scratch = compileAllowed(isStill ? [] : scratchGlobs);
  const runnerOwned = compileForbidden(judged.rules.runner_owned_globs);
  const changes = new Map([...judged.changes, ...now.changes].map((change) => [change.path, change]));
  const candidate = new Set(judged.changes.filter(isVisible).map(({ path }) => path));
  const folders = foldersAbove(changed);
  const withoutChange = (path: string): string | null => {
    if (path.startsWith(GIT)) return gitReason(path.slice(GIT.length), git);
    // A folder that came or went with its contents is told by them.
    return folders.has(path) && path !== ".git" ? null : OUTSIDE;
  };
  return (path: string): string | null => {
    const change = changes.get(path === "" ? "." : path);
    if (change === undefined) return withoutChange(path);
    if (runnerOwned(change.path) !== null) return "A check may not change what belongs to the runner.";
    if (candidate.has(change.path)) return "A check changed part of the change that it was to verify.";
    if (grants(scratch, change) !== null) return null;
    return !isStill && isOutput(gateInput, change) ? null : OUTSIDE;
  };
}

/** What a check itself starts or loads it may write as well: a build makes what the next check runs. */
function isOutput(gateInput: GateInput, change: Change): boolean {
  if (isVisible(change)) return false;
  return grants(gateInput.ignoredWritable, change) !== null || decideIgnoredFate(gateInput, change).kind === "accepted";
}

const OUTSIDE = "A check changed it, and no glob of verification.scratch_globs covers it.";

function isVisible({ standing }: Change): boolean {
  return standing !== "ignored";
}

function gitReason(path: string, { ownPrefix, isNew, isSameIndex }: Aftermath["git"]): string | null {
  const own = path.startsWith(ownPrefix) ? path.slice(ownPrefix.length) : path;
  if (path === `${ownPrefix}index` && isSameIndex) return null;
  const area = classifyGitPath(own, isNew(path) ? "added" : "modified");
  return area === "noise" || area === "remote_refs" ? null : "A check may not change git's own data.";
}

function foldersAbove(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
