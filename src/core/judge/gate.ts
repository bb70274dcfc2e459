/**
 * What every gate is: a question about recorded evidence that is answered with refusals.
 *
 * Gates never measure and never look at one another's answers. What several of them need (compiled globs, the fate of
 * an ignored path) is prepared here once, so that they cannot disagree about it.
 */
import type { Change, Evidence } from "../../contract/evidence/evidence.ts";
import type { Finding } from "../../contract/evidence/judgement.ts";
import { unreachable } from "../../contract/values/invariant.ts";
import { isDirectoryOnly } from "./blast-radius.ts";
import { compileAllowed, compileForbidden, type PathMatcher } from "../paths/globs.ts";

/** The evidence of one change with its rules compiled. */
export interface GateInput {
  readonly evidence: Evidence;
  readonly allowed: PathMatcher;
  /** Null where nothing bounds what is allowed. */
  readonly ceiling: PathMatcher | null;
  readonly forbidden: PathMatcher;
  readonly runnerOwned: PathMatcher;
  readonly ignoredWritable: PathMatcher;
  readonly ignoredGuarded: PathMatcher;
}

export type GateRefusal = Omit<Finding, "gate">;

export interface Gate {
  readonly id: string;
  readonly refuse: (gateInput: GateInput) => readonly GateRefusal[];
}

/** Compiles the rules of the evidence, once for all gates. */
export function compileRules(evidence: Evidence): GateInput {
  const { rules } = evidence;
  return {
    evidence,
    allowed: compileAllowed(rules.allowed_globs),
    ceiling: rules.ceiling_globs === undefined ? null : compileAllowed(rules.ceiling_globs),
    forbidden: compileForbidden(rules.forbidden_globs),
    runnerOwned: compileForbidden(rules.runner_owned_globs),
    ignoredWritable: compileAllowed(rules.ignored_writable_globs),
    ignoredGuarded: compileForbidden(rules.ignored_guarded_globs ?? []),
  };
}

/** What becomes of a changed path that git ignores. */
type IgnoredFate =
  | { readonly kind: "accepted" }
  | { readonly kind: "reported" }
  /** The glob of what a check starts or loads, where that is the reason. */
  | { readonly kind: "refused"; readonly glob: string | null }
  /** Ignored, yet under a forbidden glob: secrets and dependencies stay protected under every policy. */
  | { readonly kind: "protected"; readonly glob: string };

/** From this version of the records on, ignored files are protected that were there before, and new ones are noted. */
const PROTECTS_WHAT_WAS_THERE = 2;

/** Whether the evidence is older than the rule that only what was there before is protected. */
export function isBeforeProtection({ evidence: { version } }: GateInput): boolean {
  return version < PROTECTS_WHAT_WAS_THERE;
}

/** The one place that decides about ignored paths: writable globs first, then protection, then the policy. */
export function decideIgnoredFate(gateInput: GateInput, change: Change): IgnoredFate {
  const guarded = gateInput.ignoredGuarded(change.path);
  if (guarded === null && grants(gateInput.ignoredWritable, change) !== null) return { kind: "accepted" };
  const glob = gateInput.forbidden(change.path);
  if (glob !== null) return { kind: "protected", glob };
  const policy = gateInput.evidence.rules.ignored;
  switch (policy) {
    case "allow":
      return { kind: "accepted" };
    case "report":
      return { kind: "reported" };
    case "forbid": {
      const isNoted = change.before === null && guarded === null && !isBeforeProtection(gateInput);
      return isNoted ? { kind: "reported" } : { kind: "refused", glob: guarded };
    }
    default:
      return unreachable(policy);
  }
}

/** The changes that a commit could contain. */
export function listVisibleChanges(gateInput: GateInput): readonly Change[] {
  return gateInput.evidence.changes.filter((change) => change.standing !== "ignored");
}

/** The changes that git's ignore rules hide. */
export function listIgnoredChanges(gateInput: GateInput): readonly Change[] {
  return gateInput.evidence.changes.filter((change) => change.standing === "ignored");
}

/** The glob that grants a change; a directory counts as granted where its contents would be. */
export function grants(matcher: PathMatcher, change: Change): string | null {
  return isDirectoryOnly(change) ? grantsFolder(matcher, change.path) : matcher(change.path);
}

/** The glob that grants a path which may be a directory: the path itself, or anything directly inside it. */
export function grantsFolder(matcher: PathMatcher, path: string): string | null {
  return matcher(path) ?? matcher(`${path}/x`);
}
