import type { Rules } from "../../contract/evidence/evidence.ts";
import { decodePath } from "../../core/paths/path-text.ts";
import { computeBlobId } from "../../io/files/blob-id.ts";
import { joinBytes, toBytePath } from "../../io/files/byte-path.ts";
import { readLeftFile } from "../../io/files/left-file.ts";
import { readNames } from "../../io/files/read-names.ts";
import { type ContentFile, isNamedAsSecret, makeSealTest, SECRET_BYTES_MAX } from "./forbidden-content.ts";

export interface DiskSecret extends ContentFile {
  readonly content: Buffer;
}

interface DiskQuestion {
  /** A worktree that no builder writes. */
  readonly root: string;
  readonly tracked: ReadonlySet<string>;
  readonly rules: Rules;
}

/** Forbidden files beside tracked ones, whether git ignores them or not: without a walk through the whole tree. */
export async function readDiskSecrets({ root, tracked, rules }: DiskQuestion): Promise<readonly DiskSecret[]> {
  const isSealed = makeSealTest(rules);
  const folders = new Set(["", ...[...tracked].map((path) => path.slice(0, path.lastIndexOf("/") + 1))]);
  const secrets: DiskSecret[] = [];
  for (const folder of folders) {
    const names = readNames(joinBytes(toBytePath(root), toBytePath(folder))) ?? [];
    for (const path of Array.from(names, (name) => `${folder}${decodePath(name).text}`)) {
      if ((tracked.has(path) && !isNamedAsSecret(path)) || !isSealed(path)) continue;
      const file = await readLeftFile({ root, path }, SECRET_BYTES_MAX);
      if (file.kind !== "read") continue;
      secrets.push({ path, id: computeBlobId(file.data), size: file.data.length, content: file.data });
    }
  }
  return secrets;
}
