import type { GitAccess } from "./git.ts";
import { withObjects } from "./git-objects.ts";

interface SizedBlob {
  readonly id: string;
  readonly size: number;
}

/** The contents of blobs, by id. */
export async function readTreeContents(
  access: GitAccess,
  wanted: readonly SizedBlob[],
): Promise<ReadonlyMap<string, Buffer>> {
  const sizes = new Map(wanted.map(({ id, size }) => [id, size]));
  if (sizes.size === 0) return new Map();
  return withObjects(access, async (read) => {
    const objects = await Promise.all([...sizes].map(([id, size]) => read(id, size)));
    return new Map(objects.flatMap(({ id, content }) => (content === null ? [] : [[id, content] as const])));
  });
}
