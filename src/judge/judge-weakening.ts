import type { Change, EntrySide, Rules } from "../records/evidence.ts";
import { findWeakenedChecks } from "../evidence/find-weakened-checks.ts";
import type { ContentFile } from "../evidence/find-forbidden-content.ts";
import { readWanted } from "../git/git-objects.ts";
import type { BaseCommit, BaseFile } from "./base-commit.ts";

interface JudgedChange {
  readonly changes: readonly Change[];
  readonly rules: Rules | null;
}

/** How many contents are read at once. */
const BATCH = 50;
/** Longer ones are not searched. */
const TEXT_BYTES_MAX = 1024 * 1024;

export async function markWeakening(base: BaseCommit, { changes, rules }: JudgedChange): Promise<readonly Change[]> {
  if (rules === null) return changes;
  const committed = rules.weakening === undefined || changes.length === 0 ? [] : await base.listFiles();
  const byPath = new Map(committed.map((file) => [file.path, file]));
  const found = await findWeakenedChecks({
    rules,
    changes: changes.map(({ path, before, after }) => ({ path, before: nameSide(before), after: nameSide(after) })),
    listPaths: async () => [...byPath.keys()],
    readContents: (wanted) => readWanted(base.read, wanted),
    readFiles: (paths) =>
      readCommitted(
        base,
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

async function* readCommitted(base: BaseCommit, files: readonly BaseFile[]) {
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const contents = await base.readContext(batch, TEXT_BYTES_MAX);
    for (const { path, id } of batch) {
      const content = contents.get(id);
      if (content !== undefined) yield [path, content] as const;
    }
  }
}
