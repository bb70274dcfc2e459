/**
 * Where a symbolic link may lead.
 *
 * Links are judged by their text alone, since what they point to may be created later. A link must be relative and
 * stay in the scope of the task. `..` is accepted at the beginning only: after a name, which may itself be a link, the
 * text no longer says where it leads.
 */
import type { Change } from "../../contract/evidence/evidence.ts";
import { isGitLike } from "../paths/path-policy.ts";
import { grantsFolder, type GateInput } from "./gate.ts";
import { quote } from "../words/quote.ts";

type Destination =
  { readonly kind: "inside"; readonly path: string } | { readonly kind: "unsafe"; readonly why: string };

/** Why an entry is refused, and the glob that decided where one did. */
export interface Danger {
  readonly rule: string;
  readonly glob: string | null;
}

/** The reason to refuse a link that is new or points elsewhere than before; null for everything else. */
export function findLinkDanger(gateInput: GateInput, { path, before, after }: Change): Danger | null {
  if (after?.type !== "symlink") return null;
  const target = after.link_target;
  if (before?.type === "symlink" && target !== null && before.link_target === target) return null;
  const destination = resolveLink(path, target);
  return destination.kind === "inside"
    ? scopeDanger(gateInput, destination.path)
    : { rule: `A link ${destination.why}.`, glob: null };
}

function scopeDanger(gateInput: GateInput, path: string): Danger | null {
  const glob = gateInput.runnerOwned(path) ?? gateInput.forbidden(path);
  if (glob !== null) return { rule: `A link may not lead to ${quote(path)}, which is protected.`, glob };
  if (grantsFolder(gateInput.allowed, path) !== null) return null;
  return { rule: `A link may not lead to ${quote(path)}, which lies outside the allowed globs.`, glob: null };
}

function resolveLink(path: string, target: string | null): Destination {
  if (target === null) return unsafe("must have a target that can be read");
  if (target === "") return unsafe("must have a target");
  if (target.startsWith("/")) return unsafe(`must be relative, but leads to ${quote(target)}`);
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const descent = steps.findIndex((step) => step !== "..");
  const down = descent === -1 ? [] : steps.slice(descent);
  if (down.includes("..")) {
    return unsafe(`may use \`..\` only at its beginning, but leads to ${quote(target)}`);
  }
  const folder = path.split("/").slice(0, -1);
  const climbed = folder.length - (steps.length - down.length);
  if (climbed < 0) return unsafe(`must stay inside the repository, but leads to ${quote(target)}`);
  return settle([...folder.slice(0, climbed), ...down]);
}

function settle(resolved: readonly string[]): Destination {
  if (resolved.length === 0) return unsafe("may not lead to the root of the repository");
  const path = resolved.join("/");
  return resolved.some(isGitLike)
    ? unsafe(`may not lead into git's data, but leads to ${quote(path)}`)
    : { kind: "inside", path };
}

function unsafe(why: string): Destination {
  return { kind: "unsafe", why };
}
