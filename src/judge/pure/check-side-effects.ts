/**
 * Whether the checks may have changed what they changed. The judged change is the one to keep, so a check may not
 * rewrite any part of it, nor anything else except its known output: paths under the scratch globs, and ignored build
 * output that a builder may write too. Files of the runner and of git are never scratch, except the noise that the
 * judge tolerates too.
 */
import type { Change, Evidence } from "../../records/evidence.ts";
import type { Finding } from "../../records/judgement.ts";
import { compileAllowed, compileForbidden } from "../../base/globs.ts";
import { grants, decideIgnoredFate, type GateInput, compileRules } from "./gate.ts";
import { isDirectoryOnly } from "./blast-radius.ts";
import { describeExcess } from "./growth-gate.ts";
import { classifyGitPath } from "../../records/git-area.ts";

interface SideEffectFacts {
  /** Every path that differs from the judged change; paths of git's folder start with `git: `. */
  readonly changed: readonly string[];
  /** The judged evidence, and the same measured after the checks. */
  readonly judged: Evidence;
  readonly now: Evidence;
  readonly scratchGlobs: readonly string[];
  /** True for reviewers: nothing may change, not even ignored files. */
  readonly isStill?: boolean;
  readonly git: {
    /** This worktree's own folder in the common git directory. */
    readonly ownPrefix: string;
    readonly isNew: (path: string) => boolean;
    /** Whether a rewritten index has the same entries and only other times. */
    readonly isSameIndex: boolean;
  };
}

interface SideEffects {
  readonly findings: readonly Finding[];
  /** Allowed changes. They are no part of the judged change. */
  readonly tolerated: readonly string[];
}

const GIT = "git: ";
/** The rest is only counted. */
const FINDINGS_MAX = 100;

export function checkSideEffects(aftermath: SideEffectFacts): SideEffects {
  const reasonFor = makeReasonFinder(aftermath);
  const findings: Finding[] = [];
  const tolerated: string[] = [];
  for (const path of aftermath.changed) {
    const rule = reasonFor(path);
    if (rule === null) tolerated.push(path);
    else findings.push(makeFinding(path === "" ? "." : path, rule));
  }
  const { excess } = aftermath.now;
  const grown = excess === undefined ? [] : [makeFinding("the files of the checks", describeExcess(excess))];
  return { findings: [...grown, ...cutFindings(findings)], tolerated };
}

function makeFinding(subject: string, rule: string): Finding {
  return { gate: "verify-side-effects", code: "STOP_VERIFY_SIDE_EFFECTS", subject, rule, glob: null };
}

function cutFindings(findings: readonly Finding[]): readonly Finding[] {
  const rest = findings.length - FINDINGS_MAX;
  if (rest <= 0) return findings;
  return [...findings.slice(0, FINDINGS_MAX), makeFinding(`${rest} more paths`, "The checks changed these as well.")];
}

/** Null if the path may change. */
function makeReasonFinder({ changed, judged, now, scratchGlobs, git, isStill = false }: SideEffectFacts) {
  const gateInput = compileRules(now);
  const scratch = compileAllowed(isStill ? [] : scratchGlobs);
  const runnerOwned = compileForbidden(judged.rules.runner_owned_globs);
  const changes = new Map([...judged.changes, ...now.changes].map((change) => [change.path, change]));
  const candidate = new Set(judged.changes.filter(isVisible).map(({ path }) => path));
  const folders = listFoldersAbove(changed);
  const withoutChange = (path: string): string | null => {
    if (path.startsWith(GIT)) return findGitReason(path.slice(GIT.length), git);
    // The entries below a new or removed folder are reported instead.
    return folders.has(path) && path !== ".git" ? null : OUTSIDE;
  };
  return (path: string): string | null => {
    const change = changes.get(path === "" ? "." : path);
    if (change === undefined) return withoutChange(path);
    if (runnerOwned(change.path) !== null) return "A check may not change what belongs to the runner.";
    if (candidate.has(change.path)) return "A check changed part of the change that it was to verify.";
    if (grants(scratch, change) !== null || (!isStill && isNewFolder(change))) return null;
    return !isStill && isOutput(gateInput, change) ? null : OUTSIDE;
  };
}

/** Git cannot keep an empty folder, and what is in a new one is judged by itself. */
function isNewFolder(change: Change): boolean {
  return change.before === null && isDirectoryOnly(change);
}

/** A check may also write what checks start or load: a build makes what the next check runs. */
function isOutput(gateInput: GateInput, change: Change): boolean {
  if (isVisible(change)) return false;
  return grants(gateInput.ignoredWritable, change) !== null || decideIgnoredFate(gateInput, change).kind === "accepted";
}

const OUTSIDE = "A check changed it, and no glob of verification.scratch_globs covers it.";

function isVisible({ standing }: Change): boolean {
  return standing !== "ignored";
}

function findGitReason(path: string, { ownPrefix, isNew, isSameIndex }: SideEffectFacts["git"]): string | null {
  const own = path.startsWith(ownPrefix) ? path.slice(ownPrefix.length) : path;
  if (path === `${ownPrefix}index` && isSameIndex) return null;
  const area = classifyGitPath(own, isNew(path) ? "added" : "modified");
  return area === "noise" || area === "remote_refs" ? null : "A check may not change git's own data.";
}

function listFoldersAbove(paths: readonly string[]): ReadonlySet<string> {
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
