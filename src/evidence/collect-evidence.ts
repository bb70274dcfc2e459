/** Turns two observations into the evidence that the judge reads. */
import type { Change, EntrySide, Evidence, Rules } from "../records/evidence.ts";
import type { Entry, Manifest } from "../base/manifest.ts";
import { RECORD_VERSION } from "../base/record-version.ts";
import { findCollisions } from "./pure/collisions.ts";
import { type Difference, listTouchedPaths } from "./pure/compare-manifests.ts";
import { compileForbidden } from "../base/globs.ts";
import { decodePath } from "../base/path-text.ts";
import { listNestedRepositories, listWorktreeChanges } from "./pure/worktree-changes.ts";
import { listIndexPreimages } from "./index-preimages.ts";
import { type Counts, listLineCounts } from "./line-counts.ts";
import { type GitComparison, readMetadataChanges } from "./metadata-changes.ts";
import { findCopiedContent } from "./copied-content.ts";
import type { ReadSecrets } from "./disk-secrets.ts";
import type { ForbiddenContent } from "./find-forbidden-content.ts";
import { findTickWeakening } from "./tick-weakening.ts";
import { readTrackingStatus } from "./tracking.ts";

export interface EvidenceRequest extends GitComparison {
  readonly rules: Rules;
  readonly userExcludesFile: string | null;
  readonly readSecrets?: ReadSecrets;
}

export async function collectEvidence(request: EvidenceRequest): Promise<Evidence> {
  const { head, metadata } = await readMetadataChanges(request);
  const { excess } = request.after;
  return {
    version: RECORD_VERSION,
    rules: request.rules,
    builder_failure: null,
    head,
    metadata: [...metadata],
    changes: [...(await listChanges(request))],
    attributes_touched: listTouchedAttributes(request),
    ...(excess === undefined ? {} : { excess }),
  };
}

/** More names than this say nothing new. */
const TOUCHED_MAX = 100;

/** The runner restores files of its own, and a new file may get the number of the removed one. */
function listTouchedAttributes({ before, after, rules }: EvidenceRequest): Evidence["attributes_touched"] {
  const isRunners = compileForbidden(rules.runner_owned_globs);
  const paths = [
    ...listTouchedPaths(before.worktree, after.worktree)
      .map((path) => (path === "" ? "." : decodePath(path).text))
      .filter((path) => isRunners(path) === null),
    ...listTouchedPaths(before.git, after.git).map((path) => `.git/${decodePath(path).text}`),
  ].toSorted();
  return { count: paths.length, paths: paths.slice(0, TOUCHED_MAX) };
}

async function listChanges(request: EvidenceRequest): Promise<readonly Change[]> {
  const { store, before, after } = request;
  const listed = listWorktreeChanges(before.worktree, after.worktree).filter(({ path }) => path !== ".git");
  const standing = await readTrackingStatus({
    ...request,
    paths: listed.map(({ path, after: is, before: was }) => ({
      path,
      isFolder: (is ?? was)?.type === "directory",
    })),
  });
  // Tools that share files by hard links, as package managers do, touch the link counts of ignored files.
  const differences = listed.filter(
    (difference) => !isLinkCountOnly(difference) || standing(difference.path) !== "ignored",
  );
  const preimages = await listIndexPreimages(
    request,
    differences.flatMap(({ path, before: was }) => (was === null && standing(path) === "tracked" ? [path] : [])),
  );
  const compared = differences.map((difference) => ({
    ...difference,
    before: difference.before ?? preimages.get(difference.path) ?? null,
  }));
  const counted = compared.filter(({ path }) => standing(path) !== "ignored");
  const counts = await listLineCounts({ store, differences: counted });
  const countsOf = new Map(counted.map(({ path }, index) => [path, counts[index]] as const));
  const context = makeContext(request, compared);
  const forbidden = await findCopiedContent(request, { compared, standing });
  const weakened = await findTickWeakening(request, { compared, standing });
  return compared.map((difference) => ({
    ...context(difference),
    ...pickForbidden(forbidden.get(decodePath(difference.path).text)),
    ...pickWeakened(weakened.get(decodePath(difference.path).text)),
    ...(preimages.has(difference.path) ? { checked_out: false as const } : {}),
    ...countChangedLines(countsOf.get(difference.path)),
    standing: standing(difference.path),
  }));
}

function pickForbidden(content: ForbiddenContent | undefined): Pick<Change, "forbidden_content"> {
  return content === undefined ? {} : { forbidden_content: content };
}

function pickWeakened(weakened: Change["weakened"]): Pick<Change, "weakened"> {
  return weakened === undefined ? {} : { weakened };
}

type ChangeContext = Pick<
  Change,
  "path" | "path_base64" | "before" | "after" | "inside_repository" | "collides_with" | "made_readable"
>;

function makeContext(
  { before, after }: EvidenceRequest,
  differences: readonly Difference[],
): (difference: Difference) => ChangeContext {
  const added = differences.filter(({ before: was }) => was === null).map(({ path }) => decodePath(path).text);
  const nested = listNestedRepositories(before.worktree, after.worktree);
  // A removed name collides with nothing, so a file may be renamed in case only.
  const collisions = findCollisions(added, listStaying(before.worktree, after.worktree));
  return ({ path, before: was, after: is }) => {
    const { text, base64 } = decodePath(path);
    const holder = nested.findLast((root) => path.startsWith(`${root}/`)) ?? null;
    return {
      path: text === "" ? "." : text,
      path_base64: base64,
      before: describeSide(was),
      after: describeSide(is),
      inside_repository: holder === null ? null : decodePath(holder).text,
      collides_with: was === null ? collisions.with(text) : null,
      made_readable: is?.forced ?? false,
    };
  };
}

function* listStaying(before: Manifest, after: Manifest): Generator<string> {
  for (const path of before.keys()) if (after.has(path)) yield decodePath(path).text;
}

function isLinkCountOnly({ before, after }: Difference): boolean {
  return before !== null && after !== null && before.hardLinks !== after.hardLinks && hasSameBody(before, after);
}

function hasSameBody(before: Entry, after: Entry): boolean {
  return (
    before.type === after.type && before.id === after.id && before.mode === after.mode && before.owner === after.owner
  );
}

function describeSide(entry: Entry | null): EntrySide | null {
  if (entry === null) return null;
  return {
    type: entry.type,
    mode: entry.mode.toString(8).padStart(4, "0"),
    size: entry.size,
    id: entry.id,
    link_target: entry.target === null ? null : decodePath(entry.target).text,
    hard_links: entry.hardLinks,
  };
}

function countChangedLines(
  counts: Counts | undefined,
): Pick<Change, "lines_added" | "lines_deleted" | "bytes_changed"> {
  return {
    lines_added: counts?.added ?? 0,
    lines_deleted: counts?.deleted ?? 0,
    bytes_changed: counts?.bytes ?? 0,
  };
}
