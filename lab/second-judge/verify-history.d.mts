/** What tests use of `verify-history.mjs`, which is plain JavaScript. */
export interface VerifiedTick {
  readonly run: string;
  readonly result: "agrees" | "disagrees" | "unchecked";
  readonly code?: string | null;
  readonly faults?: readonly string[];
  readonly why?: string;
  readonly notes?: readonly string[];
}
export interface FoundFinding {
  readonly gate: string;
  readonly code: string;
  readonly subject: string;
  readonly glob: string | null;
}
export function judgeEvidence(evidence: object): {
  readonly code: string;
  readonly cause: string | null;
  readonly findings: readonly FoundFinding[];
  readonly blast_radius: object;
};
export function makeAllowed(globs: readonly string[]): (path: string) => string | null;
export function makeForbidden(globs: readonly string[]): (path: string) => string | null;
export function verifyHistory(place: {
  readonly root: string;
  readonly journal?: string;
  readonly workspace?: string;
}): { readonly trouble: string | null; readonly isMissing: boolean; readonly ticks: readonly VerifiedTick[] };
