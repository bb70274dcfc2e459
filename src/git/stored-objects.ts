/** Objects read from their files where that is possible, and by git where it is not: a process costs more than a read. */
import type { GitAccess } from "./git.ts";
import { countNewlines, type GitObject, type MeasureObject, type ReadObject, withObjects } from "./git-objects.ts";
import { type ObjectReader, openObjectReader, readPlainCommit } from "./object-files.ts";

/** A larger object is left to git, which does not keep it in memory. */
const OBJECT_BYTES_MAX = 8 * 1024 * 1024;
const NAME = /^(?<id>[0-9a-f]{40})(?<tree>\^\{tree\})?$/;

/** `places` are git directories whose own objects are read; git also knows where else to look. */
export async function withStoredObjects<T>(
  access: GitAccess,
  places: readonly string[],
  use: (read: ReadObject, measure: MeasureObject) => Promise<T>,
): Promise<T> {
  // Of thousands of objects nearly all are in packs, and each look for a loose one asks the disk.
  const readers = places.map((place) => openObjectReader(place, "packed first"));
  try {
    return await withObjects(access, (ask, measure) =>
      use(
        async (name, keepBytesMax) => findObject(readers, name, keepBytesMax) ?? ask(name, keepBytesMax),
        async (name) => findSize(readers, name) ?? measure(name),
      ),
    );
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Null where git must be asked. */
function findObject(readers: readonly ObjectReader[], name: string, keepBytesMax: number): GitObject | null {
  const { id, tree } = NAME.exec(name)?.groups ?? {};
  if (id === undefined) return null;
  const wanted = tree === undefined ? id : findTree(readers, id);
  if (wanted === null) return null;
  for (const reader of readers) {
    const found = reader.find(wanted, { type: null, size: null, sizeMax: OBJECT_BYTES_MAX });
    if (found === null) continue;
    const { type, content } = found;
    const size = content.length;
    const kept = size <= keepBytesMax ? content : null;
    return { id: wanted, type, size, newlines: countNewlines(content), content: kept };
  }
  return null;
}

function findSize(readers: readonly ObjectReader[], name: string): number | null {
  if (!/^[0-9a-f]{40}$/.test(name)) return null;
  for (const reader of readers) {
    const size = reader.measure(name);
    if (size !== null) return size;
  }
  return null;
}

function findTree(readers: readonly ObjectReader[], commit: string): string | null {
  for (const reader of readers) {
    const text = readPlainCommit(reader, commit)?.toString("latin1") ?? "";
    const tree = /^tree (?<id>[0-9a-f]{40})\n/.exec(text)?.groups?.["id"];
    if (tree !== undefined) return tree;
  }
  return null;
}
