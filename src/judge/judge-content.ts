import { CONFIG_NAME } from "../config/config.ts";
import { MeasurementError } from "../base/errors.ts";
import type { GitDifference } from "../git/git-difference.ts";
import { type ReadObject, readWanted } from "../git/git-objects.ts";
import { parseTree } from "../git/tree-listing.ts";
import type { Change, EntrySide, Rules } from "../records/evidence.ts";
import { toBytePath } from "../system/byte-path.ts";
import { readDiskSecrets } from "../evidence/disk-secrets.ts";
import {
  type ContentFile,
  findForbiddenContent,
  groupFiles,
  isNamedAsSecret,
} from "../evidence/find-forbidden-content.ts";
import type { BaseCommit, BaseFile } from "./base-commit.ts";

/** A file at the root of a commit. */
export type CommittedFile =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly content: Buffer }
  /** An entry of that name that is not a readable file. */
  | { readonly kind: "unusable"; readonly reason: string };

const CONFIG_BYTES_MAX = 1024 * 1024;
const TREE_BYTES_MAX = 256 * 1024 * 1024;
const LINK_BYTES_MAX = 64 * 1024;
const RULES_ROOT = "the root of the commit with the rules";

/** What is known of the content of a changed file. */
export interface MeasuredContent {
  readonly size: number;
  /** 0 where lines were counted by git already. */
  readonly newlines: number;
  /** Kept only for links. */
  readonly content: Buffer | null;
}

/** By id. Sizes are asked before contents, which are read only where git did not compare them as text, and for links. */
export async function measureContents(
  { read, measure }: Pick<BaseCommit, "read" | "measure">,
  differences: readonly GitDifference[],
): Promise<ReadonlyMap<string, MeasuredContent>> {
  const keptBytes = new Map<string, number>();
  const sides = differences.flatMap(({ before, after, counts }) =>
    [before, after].flatMap((side) => (side === null || side.mode === "160000" ? [] : [{ side, counts }])),
  );
  for (const { side, counts } of sides) {
    const bytes = side.mode === "120000" ? LINK_BYTES_MAX : counts === null ? 0 : null;
    if (bytes !== null) keptBytes.set(side.id, Math.max(bytes, keptBytes.get(side.id) ?? 0));
  }
  const measureOne = async (id: string): Promise<MeasuredContent> => {
    const bytes = keptBytes.get(id);
    if (bytes !== undefined) return read(id, bytes);
    const size = await measure(id);
    if (size === null) throw new MeasurementError(`object ${id}`, "is missing");
    return { size, newlines: 0, content: null };
  };
  const ids = [...new Set(sides.map(({ side }) => side.id))];
  return new Map(await Promise.all(ids.map(async (id) => [id, await measureOne(id)] as const)));
}

/** Follows the tree itself: git answers "missing" for a name that is not there and for content that is lost alike. */
export async function readRulesFile(read: ReadObject, commit: string): Promise<CommittedFile> {
  const tree = await read(`${commit}^{tree}`, TREE_BYTES_MAX);
  if (tree.content === null) throw new MeasurementError(RULES_ROOT, "is too large to read");
  const entry = parseTree(tree.content, commit.length / 2, RULES_ROOT).find(({ name }) => name === CONFIG_NAME) ?? null;
  if (entry === null) return { kind: "absent" };
  if (!entry.mode.startsWith("100")) return { kind: "unusable", reason: "it is not an ordinary file" };
  const { content } = await read(entry.id, CONFIG_BYTES_MAX);
  return content === null
    ? { kind: "unusable", reason: `it is larger than ${CONFIG_BYTES_MAX} bytes` }
    : { kind: "file", content };
}

/** Compares the changes with the forbidden files of the base commit and of the working tree, and finds credentials. */
export async function markForbiddenContent(
  base: BaseCommit,
  /** The working tree if that is judged: it may have secrets that git ignores. */
  root: string | null,
  changes: readonly Change[],
  rules: Rules | null,
): Promise<readonly Change[]> {
  const compared = changes.flatMap(({ path, before, after }) => {
    const is = pickContent(after);
    return is === null ? [] : [{ path, before: pickContent(before), after: is, isIgnored: false }];
  });
  if (rules === null || compared.length === 0) return changes;
  const changedIds = new Set(
    compared.flatMap(({ before, after }) => [after.id, ...(before === null ? [] : [before.id])]),
  );
  const committed = await measureFiles(base, new Set(compared.map(({ after }) => after.id)));
  const byId = new Map(committed.map((file) => [file.id, file]));
  const tracked = new Set(committed.map(({ path }) => path));
  const isTracked = (path: string): boolean => tracked.has(path);
  const secrets = root === null ? [] : await readDiskSecrets({ root, tracked: listBytePaths(tracked), rules });
  const found = await findForbiddenContent({
    rules,
    files: groupFiles([...committed, ...secrets], isTracked),
    changes: compared,
    earlier: changes.flatMap(({ path, before }) => {
      const was = pickContent(before);
      return was === null ? [] : [{ path, ...was }];
    }),
    isTracked,
    readContents: async (wanted) => {
      const own = new Map(secrets.map(({ id, content }) => [id, content]));
      const others = wanted.filter(({ id }) => !own.has(id));
      const changed = await readWanted(
        base.read,
        others.filter(({ id }) => changedIds.has(id)),
      );
      const context = others.flatMap(({ id }) => (changedIds.has(id) ? [] : (byId.get(id) ?? [])));
      return new Map([...changed, ...(await base.readContext(context, TEXT_BYTES_MAX)), ...own]);
    },
    listKnownTexts: async (texts, files) => listKnownTexts(await base.readContext(files, TEXT_BYTES_MAX), texts),
  });
  return changes.map((change) => ({ ...change, ...found.get(change.path) }));
}

function listBytePaths(tracked: ReadonlySet<string>): Parameters<typeof readDiskSecrets>[0]["tracked"] {
  const paths = new Set(Array.from(tracked, toBytePath));
  const folders = new Set(["", ...Array.from(paths, (path) => path.slice(0, path.lastIndexOf("/") + 1))]);
  return { has: (path) => paths.has(path), folders: () => folders };
}

/** Larger files are not searched for a secret. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

/** Only those whose size matters are measured: tracked secrets, and files with the content of a changed one. */
async function measureFiles(base: BaseCommit, changed: ReadonlySet<string>): Promise<readonly ContentFile[]> {
  const files = await base.listFiles();
  const isMeasured = ({ path, id }: BaseFile): boolean => changed.has(id) || isNamedAsSecret(path);
  const measured = files
    .filter(isMeasured)
    .map(async (file) => [file.path, (await base.measureContext(file)) ?? 0] as const);
  const sizes = new Map(await Promise.all(measured));
  return files.map(({ path, id }) => ({ path, id, size: sizes.get(path) ?? 0 }));
}

function pickContent(side: EntrySide | null): Pick<ContentFile, "id" | "size"> | null {
  return side?.type === "file" && side.id !== null ? { id: side.id, size: side.size } : null;
}

function listKnownTexts(contents: ReadonlyMap<string, Buffer>, texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text) => [...contents.values()].some((content) => content.includes(text, 0, "latin1"))));
}
