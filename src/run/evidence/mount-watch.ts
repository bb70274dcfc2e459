/**
 * Watches what is mounted at, above and below a repository while a tick works in it.
 *
 * What was mounted before belongs to the worktree like everything else. What was mounted since is not relais' to look
 * into, to write to or to unmount: whoever works here is told, and nothing at that place is touched.
 */
import type { Mount } from "../../contract/evidence/manifest.ts";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { type MountChange, listMountChanges, listMountsAround } from "../../core/observation/mount-changes.ts";
import { decodePath } from "../../core/paths/path-text.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { listMounts } from "../../io/observe/mounts.ts";
import type { Repository } from "../../io/git/repository-layout.ts";

/** The mounts that a repository depends on, as they are now. */
export async function listRepositoryMounts({ root, commonDir }: Repository): Promise<readonly Mount[]> {
  return listMountsAround(await listMounts(), [toBytePath(root), toBytePath(commonDir)]);
}

/** What was mounted or unmounted since. */
export async function listMountChangesSince(
  before: readonly Mount[],
  repository: Repository,
): Promise<readonly MountChange[]> {
  return listMountChanges(before, await listRepositoryMounts(repository));
}

/** Throws where anything was mounted or unmounted: what is seen then is not the repository alone. */
export async function demandSameMounts(before: readonly Mount[], repository: Repository): Promise<void> {
  const [first] = await listMountChangesSince(before, repository);
  if (first !== undefined)
    throw new MeasurementError(decodePath(first.point).text, `a file system was ${first.became} here`);
}

/** One line for each place, with what a person does about it. */
export function describeMount(changes: readonly MountChange[]): readonly string[] {
  return changes.map(({ point, became }) => {
    const { text } = decodePath(point);
    return became === "mounted"
      ? `${text}: a file system was mounted here; umount it (\`umount ${text}\`)`
      : `${text}: a file system was unmounted here; mount it again`;
  });
}

/** As text for a file, in which every mount is two fields. */
export function writeMounts(mounts: readonly Mount[]): string {
  return Buffer.from(mounts.flatMap(({ point, kind }) => [point, kind]).join("\0"), "latin1").toString("hex");
}

export function parseMounts(text: string): readonly Mount[] {
  const fields = Buffer.from(text, "hex").toString("latin1").split("\0");
  return fields.flatMap((point, at) => (at % 2 === 0 && point !== "" ? [{ point, kind: fields[at + 1] ?? "" }] : []));
}
