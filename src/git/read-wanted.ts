import type { ReadObject } from "./git-objects.ts";

interface SizedBlob {
  readonly id: string;
  readonly size: number;
}

/** The contents of blobs, by id. */
export async function readWanted(read: ReadObject, wanted: readonly SizedBlob[]): Promise<ReadonlyMap<string, Buffer>> {
  const sizes = new Map(wanted.map(({ id, size }) => [id, size]));
  const objects = await Promise.all([...sizes].map(([id, size]) => read(id, size)));
  return new Map(objects.flatMap(({ id, content }) => (content === null ? [] : [[id, content] as const])));
}
