/**
 * Git's own data belongs to the person, except for what every honest command rewrites. An editor that fetches in the
 * background moves remote-tracking refs during a build, so these are only noted.
 */
import type { GitArea, MetadataChange } from "../../records/evidence.ts";
import type { Gate } from "./gate.ts";
import { quote, shortenList } from "../../base/words.ts";

type Treatment = { readonly kind: "refuse"; readonly name: string } | { readonly kind: "tell" | "pass" };

const refuse = (name: string): Treatment => ({ kind: "refuse", name });

const TREATMENT: Readonly<Record<GitArea, Treatment>> = {
  git_dir: refuse("the git directory"),
  refs: refuse("a ref"),
  remote_refs: { kind: "tell" },
  stash: refuse("the stash"),
  reflog: refuse("a reflog"),
  config: refuse("git's configuration"),
  hooks: refuse("a hook"),
  info: refuse("git's info files"),
  index: refuse("the index"),
  index_flags: refuse("a flag of the index"),
  lock: refuse("a lock of git"),
  operation: refuse("an unfinished operation of git"),
  worktrees: refuse("a linked worktree"),
  submodules: refuse("a submodule's git data"),
  objects: refuse("the object store"),
  noise: { kind: "pass" },
  other: refuse("a file of git"),
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
