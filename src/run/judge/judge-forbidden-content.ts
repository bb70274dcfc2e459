import type { Change, EntrySide, Rules } from "../../contract/evidence/evidence.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { decodePath } from "../../core/paths/path-text.ts";
import { type GitAccess, runGit } from "../../io/git/git.ts";
import { readTreeContents } from "../../io/git/read-tree-contents.ts";
import { readDiskSecrets } from "../evidence/disk-secrets.ts";
import { type ContentFile, findForbiddenContent } from "../evidence/forbidden-content.ts";

interface JudgedChange {
  /** The working tree if that is judged: it may have secrets that git ignores. */
  readonly root: string | null;
  readonly base: string;
  readonly changes: readonly Change[];
  readonly rules: Rules | null;
}

const LIST_BYTES_MAX = 1024 * 1024 * 1024;

/** Compares the changes with the forbidden files of the base commit and of the working tree. */
export async function markForbiddenContent(
  access: GitAccess,
  { root, base, changes, rules }: JudgedChange,
): Promise<readonly Change[]> {
  const compared = changes.flatMap(({ path, before, after }) => {
    const is = pickContent(after);
    return is === null ? [] : [{ path, before: pickContent(before), after: is, isIgnored: false }];
  });
  if (rules === null || compared.length === 0) return changes;
  const committed = await listCommittedFiles(access, base);
  const tracked = new Set(committed.map(({ path }) => path));
  const secrets = root === null ? [] : await readDiskSecrets({ root, tracked, rules });
  const found = await findForbiddenContent({
    rules,
    files: [...committed, ...secrets],
    changes: compared,
    isTracked: (path) => tracked.has(path),
    readContents: async (wanted) => {
      const own = new Map(secrets.map(({ id, content }) => [id, content]));
      const others = await readTreeContents(
        access,
        wanted.filter(({ id }) => !own.has(id)),
      );
      return new Map([...others, ...own]);
    },
    listKnownTexts: async (texts, files) => listKnownTexts(await readTreeContents(access, files), texts),
  });
  return changes.map((change) => {
    const content = found.get(change.path);
    return content === undefined ? change : { ...change, forbidden_content: content };
  });
}

function pickContent(side: EntrySide | null): Pick<ContentFile, "id" | "size"> | null {
  return side?.type === "file" && side.id !== null ? { id: side.id, size: side.size } : null;
}

export async function listCommittedFiles(access: GitAccess, commit: string): Promise<readonly ContentFile[]> {
  const args = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit];
  const { stdout } = await runGit({ ...access, args, outputBytesMax: LIST_BYTES_MAX });
  const lines = stdout.toString("latin1").split("\0").slice(0, -1);
  return lines.flatMap((line) => {
    const entry = /^(?<mode>\d{6}) \w+ (?<id>[\da-f]+) +(?<size>\d+|-)\t(?<path>.*)$/su.exec(line)?.groups;
    if (entry === undefined) throw new MeasurementError("git ls-tree", "an unreadable line");
    const { mode = "", id = "", size = "", path = "" } = entry;
    return mode.startsWith("100") ? [{ id, size: Number(size), path: decodePath(path).text }] : [];
  });
}

function listKnownTexts(contents: ReadonlyMap<string, Buffer>, texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text) => [...contents.values()].some((content) => content.includes(text, 0, "latin1"))));
}
