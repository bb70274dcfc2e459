/**
 * A gate answers a question about the evidence with refusals. Gates never measure and do not depend on each other.
 * Shared results (compiled globs, the fate of an ignored path) are prepared here, so that gates cannot disagree about
 * them.
 */
import type { Change, Evidence } from "../../records/evidence.ts";
import type { Finding } from "../../records/judgement.ts";
import { unreachable } from "../../base/errors.ts";
import { isDirectoryOnly } from "./blast-radius.ts";
import { compileProtection } from "./lifted-paths.ts";
import { installsDependencies, isAboutDependencies, isDependency } from "../../records/dependencies.ts";
import { compileAllowed, compileForbidden, type PathMatcher } from "../../base/globs.ts";

export interface GateInput {
  readonly evidence: Evidence;
  readonly allowed: PathMatcher;
  readonly ceiling: PathMatcher | null;
  readonly forbidden: PathMatcher;
  readonly runnerOwned: PathMatcher;
  readonly ignoredWritable: PathMatcher;
  readonly ignoredGuarded: PathMatcher;
  readonly installs: boolean;
}

export type GateRefusal = Omit<Finding, "gate">;

export interface Gate {
  readonly id: string;
  /** The cause of the judgement, if this gate names the code. */
  readonly cause?: string;
  readonly refuse: (gateInput: GateInput) => readonly GateRefusal[];
}

export function compileRules(evidence: Evidence): GateInput {
  const { rules } = evidence;
  return {
    evidence,
    allowed: compileAllowed(rules.allowed_globs),
    ceiling: rules.ceiling_globs === undefined ? null : compileAllowed(rules.ceiling_globs),
    forbidden: compileProtection(rules),
    runnerOwned: compileForbidden(rules.runner_owned_globs),
    ignoredWritable: compileAllowed(rules.ignored_writable_globs),
    ignoredGuarded: compileForbidden(rules.ignored_guarded_globs ?? []),
    installs: installsDependencies(evidence.changes, rules),
  };
}

type IgnoredFate =
  | { readonly kind: "accepted" }
  | { readonly kind: "reported" }
  /** The glob of what a check starts or loads, if that is the reason. */
  | { readonly kind: "refused"; readonly glob: string | null }
  /** Ignored, but under a forbidden glob: secrets and dependencies are protected by every policy. */
  | { readonly kind: "protected"; readonly glob: string };

/** The only place that decides about ignored paths: writable globs first, then protection, then the policy. */
export function decideIgnoredFate(gateInput: GateInput, change: Change): IgnoredFate {
  const guarded = gateInput.ignoredGuarded(change.path);
  if (guarded === null && grants(gateInput.ignoredWritable, change) !== null) return { kind: "accepted" };
  const glob = gateInput.forbidden(change.path);
  if (isInstalled(gateInput, change, glob)) return { kind: "reported" };
  if (glob !== null) return { kind: "protected", glob };
  const policy = gateInput.evidence.rules.ignored;
  switch (policy) {
    case "allow":
      return { kind: "accepted" };
    case "report":
      return { kind: "reported" };
    case "forbid": {
      const isNoted = change.before === null && guarded === null;
      return isNoted ? { kind: "reported" } : { kind: "refused", glob: guarded };
    }
    default:
      return unreachable(policy);
  }
}

/** Dependencies change with their lockfile. */
function isInstalled({ installs }: GateInput, change: Change, glob: string | null): boolean {
  return installs && isDependency(change) && (glob === null || isAboutDependencies(glob));
}

export function listVisibleChanges(gateInput: GateInput): readonly Change[] {
  return gateInput.evidence.changes.filter((change) => change.standing !== "ignored");
}

export function listIgnoredChanges(gateInput: GateInput): readonly Change[] {
  return gateInput.evidence.changes.filter((change) => change.standing === "ignored");
}

/** A directory is granted if its contents would be. */
export function grants(matcher: PathMatcher, change: Change): string | null {
  return isDirectoryOnly(change) ? grantsFolder(matcher, change.path) : matcher(change.path);
}

/** The path itself, or anything directly inside it. */
export function grantsFolder(matcher: PathMatcher, path: string): string | null {
  return matcher(path) ?? matcher(`${path}/x`);
}
