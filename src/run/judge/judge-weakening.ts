import type { Change, EntrySide, Rules } from "../../contract/evidence/evidence.ts";
import type { GitAccess } from "../../io/git/git.ts";
import { findWeakenedChecks } from "../evidence/weakened-checks.ts";
import type { ContentFile } from "../evidence/forbidden-content.ts";
import { readTreeContents } from "../../io/git/read-tree-contents.ts";
import { listCommittedFiles } from "./judge-forbidden-content.ts";

interface JudgedChange {
  readonly base: string;
  readonly changes: readonly Change[];
  readonly rules: Rules | null;
}

/** How many contents are read by one process. */
const BATCH = 200;

export async function markWeakening(
  access: GitAccess,
  { base, changes, rules }: JudgedChange,
): Promise<readonly Change[]> {
  if (rules === null) return changes;
  const committed = rules.weakening === undefined || changes.length === 0 ? [] : await listCommittedFiles(access, base);
  const byPath = new Map(committed.map((file) => [file.path, file]));
  const found = await findWeakenedChecks({
    rules,
    changes: changes.map(({ path, before, after }) => ({ path, before: nameSide(before), after: nameSide(after) })),
    listPaths: async () => [...byPath.keys()],
    readContents: (wanted) => readTreeContents(access, wanted),
    readFiles: (paths) =>
      readCommitted(
        access,
        paths.flatMap((path) => byPath.get(path) ?? []),
      ),
  });
  return changes.map((change) => {
    const weakened = found.get(change.path);
    return weakened === undefined ? change : { ...change, weakened };
  });
}

function nameSide(side: EntrySide | null): Pick<ContentFile, "id" | "size"> | null {
  return side?.type === "file" && side.id !== null ? { id: side.id, size: side.size } : null;
}

async function* readCommitted(access: GitAccess, files: readonly ContentFile[]) {
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const contents = await readTreeContents(access, batch);
    for (const { path, id } of batch) {
      const content = contents.get(id);
      if (content !== undefined) yield [path, content] as const;
    }
  }
}
