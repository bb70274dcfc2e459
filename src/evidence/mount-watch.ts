/**
 * Watches what is mounted at, above and below a repository while a tick works in it.
 *
 * An earlier mount belongs to the worktree like everything else. relais must not look
 * into a new one, write to it or unmount it: it is reported, and nothing in it is touched.
 */
import type { Mount } from "../base/manifest.ts";
import { MeasurementError } from "../base/errors.ts";
import { type MountChange, listMountChanges, listMountsAround } from "./pure/mount-changes.ts";
import { decodePath } from "../base/path-names.ts";
import { toBytePath } from "../system/byte-path.ts";
import { listMounts } from "../system/mounts.ts";
import type { Repository } from "../git/repository-layout.ts";

export async function listRepositoryMounts({ root, commonDir }: Repository): Promise<readonly Mount[]> {
  return listMountsAround(await listMounts(), [toBytePath(root), toBytePath(commonDir)]);
}

export async function listMountChangesSince(
  before: readonly Mount[],
  repository: Repository,
): Promise<readonly MountChange[]> {
  return listMountChanges(before, await listRepositoryMounts(repository));
}

/** After a mount, an observation would not show the repository alone. */
export async function demandSameMounts(before: readonly Mount[], repository: Repository): Promise<void> {
  const [first] = await listMountChangesSince(before, repository);
  if (first !== undefined)
    throw new MeasurementError(decodePath(first.point).text, `a file system was ${first.became} here`);
}

export function describeMount(changes: readonly MountChange[]): readonly string[] {
  return changes.map(({ point, became }) => {
    const { text } = decodePath(point);
    return became === "mounted"
      ? `${text}: a file system was mounted here; umount it (\`umount ${text}\`)`
      : `${text}: a file system was unmounted here; mount it again`;
  });
}

export function writeMounts(mounts: readonly Mount[]): string {
  return Buffer.from(mounts.flatMap(({ point, kind }) => [point, kind]).join("\0"), "latin1").toString("hex");
}

export function parseMounts(text: string): readonly Mount[] {
  const fields = Buffer.from(text, "hex").toString("latin1").split("\0");
  return fields.flatMap((point, at) => (at % 2 === 0 && point !== "" ? [{ point, kind: fields[at + 1] ?? "" }] : []));
}
