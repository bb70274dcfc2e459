/** The texts that the rules about weakened checks read in a tick. */
import type { Entry } from "../base/manifest.ts";
import type { Difference } from "./pure/compare-manifests.ts";
import { decodePath } from "../base/path-text.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { TrackedFiles } from "../store/tracked-files.ts";
import { type CopyRequest, readContentsById, readOpenFile } from "./copied-content.ts";
import type { ContentFile } from "./find-forbidden-content.ts";
import { readTracked, type TrackingStatus } from "./tracking.ts";
import { findWeakenedChecks } from "./find-weakened-checks.ts";

interface ComparedFiles {
  readonly compared: readonly Difference[];
  readonly standing: (path: string) => TrackingStatus;
}

export function findTickWeakening(request: CopyRequest, { compared, standing }: ComparedFiles) {
  const visible = request.after.excess === undefined ? compared.filter(({ path }) => standing(path) !== "ignored") : [];
  return findWeakenedChecks({
    rules: request.rules,
    changes: visible.map(({ path, before, after }) => ({
      path: decodePath(path).text,
      before: nameSide(before),
      after: nameSide(after),
    })),
    listPaths: async () => namePaths(await readTracked(request)),
    readContents: (wanted) => readContentsById(request, new Set(wanted.map(({ id }) => id))),
    readFiles: (paths) => readOpenFiles(request, paths),
  });
}

/** Only if they are asked for. */
function namePaths(tracked: TrackedFiles): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const { path } of tracked.files()) yield decodePath(path).text;
    },
  };
}

function nameSide(entry: Entry | null): Pick<ContentFile, "id" | "size"> | null {
  return entry?.type === "file" && entry.id !== null ? { id: entry.id, size: entry.size } : null;
}

async function* readOpenFiles(request: CopyRequest, paths: readonly string[]) {
  for (const path of paths) {
    const content = readOpenFile(request, toBytePath(path));
    if (content !== null) yield [path, content] as const;
  }
}
