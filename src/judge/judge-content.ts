import { CONFIG_NAME } from "../config/config.ts";
import { MeasurementError } from "../base/errors.ts";
import type { GitDifference } from "../git/git-difference.ts";
import type { GitObject, ReadObject } from "../git/git-objects.ts";
import { parseTree } from "../git/tree-listing.ts";
import type { Change, EntrySide, Rules } from "../records/evidence.ts";
import { toBytePath } from "../system/byte-path.ts";
import { readWanted } from "../git/read-wanted.ts";
import { readDiskSecrets } from "../evidence/disk-secrets.ts";
import {
  type ContentFile,
  findForbiddenContent,
  groupFiles,
  isNamedAsSecret,
} from "../evidence/find-forbidden-content.ts";
import type { BaseCommit } from "./judge-rules.ts";

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

/** By id: the content of every changed file, measured; kept only for links. */
export async function measureContents(
  read: ReadObject,
  differences: readonly GitDifference[],
): Promise<ReadonlyMap<string, GitObject>> {
  const keptBytes = new Map<string, number>();
  for (const side of differences.flatMap(({ before, after }) => [before, after])) {
    if (side !== null && side.mode !== "160000") {
      keptBytes.set(side.id, Math.max(side.mode === "120000" ? LINK_BYTES_MAX : 0, keptBytes.get(side.id) ?? 0));
    }
  }
  const pairs = [...keptBytes].map(async ([id, bytesMax]) => [id, await read(id, bytesMax)] as const);
  return new Map(await Promise.all(pairs));
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

interface JudgedChange {
  /** The working tree if that is judged: it may have secrets that git ignores. */
  readonly root: string | null;
  readonly changes: readonly Change[];
  readonly rules: Rules | null;
}

/** Compares the changes with the forbidden files of the base commit and of the working tree. */
export async function markForbiddenContent(
  base: BaseCommit,
  { root, changes, rules }: JudgedChange,
): Promise<readonly Change[]> {
  const compared = changes.flatMap(({ path, before, after }) => {
    const is = pickContent(after);
    return is === null ? [] : [{ path, before: pickContent(before), after: is, isIgnored: false }];
  });
  if (rules === null || compared.length === 0) return changes;
  const committed = await measureFiles(base, new Set(compared.map(({ after }) => after.id)));
  const tracked = new Set(committed.map(({ path }) => path));
  const isTracked = (path: string): boolean => tracked.has(path);
  const secrets = root === null ? [] : await readDiskSecrets({ root, tracked: listBytePaths(tracked), rules });
  const found = await findForbiddenContent({
    rules,
    files: groupFiles([...committed, ...secrets], isTracked),
    changes: compared,
    isTracked,
    readContents: async (wanted) => {
      const own = new Map(secrets.map(({ id, content }) => [id, content]));
      const others = await readWanted(
        base.read,
        wanted.filter(({ id }) => !own.has(id)),
      );
      return new Map([...others, ...own]);
    },
    listKnownTexts: async (texts, files) => {
      const bounded = files.map(({ id }) => ({ id, size: TEXT_BYTES_MAX }));
      return listKnownTexts(await readWanted(base.read, bounded), texts);
    },
  });
  return changes.map((change) => {
    const content = found.get(change.path);
    return content === undefined ? change : { ...change, forbidden_content: content };
  });
}

function listBytePaths(tracked: ReadonlySet<string>): Parameters<typeof readDiskSecrets>[0]["tracked"] {
  const paths = new Set(Array.from(tracked, toBytePath));
  const folders = new Set(["", ...Array.from(paths, (path) => path.slice(0, path.lastIndexOf("/") + 1))]);
  return { has: (path) => paths.has(path), folders: () => folders };
}

/** Larger files are not searched for a secret. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

/** Only those whose size matters are measured: tracked secrets, and files with the content of a changed one. */
function measureFiles(base: BaseCommit, changed: ReadonlySet<string>): Promise<readonly ContentFile[]> {
  const measure = async ({ path, id }: Omit<ContentFile, "size">): Promise<ContentFile> => {
    const size = changed.has(id) || isNamedAsSecret(path) ? (await base.read(id, 0)).size : 0;
    return { path, id, size };
  };
  return base.listFiles().then((files) => Promise.all(files.map(measure)));
}

function pickContent(side: EntrySide | null): Pick<ContentFile, "id" | "size"> | null {
  return side?.type === "file" && side.id !== null ? { id: side.id, size: side.size } : null;
}

function listKnownTexts(contents: ReadonlyMap<string, Buffer>, texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text) => [...contents.values()].some((content) => content.includes(text, 0, "latin1"))));
}
