import type { Change, EntrySide, Rules } from "../../contract/evidence/evidence.ts";
import { readWanted } from "../../io/git/read-tree-contents.ts";
import { readDiskSecrets } from "../evidence/disk-secrets.ts";
import { type ContentFile, findForbiddenContent } from "../evidence/forbidden-content.ts";
import type { BaseCommit } from "./judge-base.ts";

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
  const committed = await base.listFiles();
  const tracked = new Set(committed.map(({ path }) => path));
  const secrets = root === null ? [] : await readDiskSecrets({ root, tracked, rules });
  const found = await findForbiddenContent({
    rules,
    files: [...committed, ...secrets],
    changes: compared,
    isTracked: (path) => tracked.has(path),
    readContents: async (wanted) => {
      const own = new Map(secrets.map(({ id, content }) => [id, content]));
      const others = await readWanted(
        base.read,
        wanted.filter(({ id }) => !own.has(id)),
      );
      return new Map([...others, ...own]);
    },
    listKnownTexts: async (texts, files) => listKnownTexts(await readWanted(base.read, files), texts),
  });
  return changes.map((change) => {
    const content = found.get(change.path);
    return content === undefined ? change : { ...change, forbidden_content: content };
  });
}

function pickContent(side: EntrySide | null): Pick<ContentFile, "id" | "size"> | null {
  return side?.type === "file" && side.id !== null ? { id: side.id, size: side.size } : null;
}

function listKnownTexts(contents: ReadonlyMap<string, Buffer>, texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text) => [...contents.values()].some((content) => content.includes(text, 0, "latin1"))));
}
