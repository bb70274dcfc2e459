import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** The path of an ordinary file from the root, or null. Links are not followed; of several folders, the last ones come first. */
export function findFile(
  root: string /** The folder to begin in, from the root. */,
  path: string,
  isWanted: (name: string) => boolean /** How many folders deep. */,
  depth: number,
): string | null {
  const entries = listEntries(join(root, path));
  const file = entries.find((entry) => entry.isFile() && isWanted(entry.name));
  if (file !== undefined) return `${path}/${file.name}`;
  const folders = depth === 0 ? [] : entries.filter((entry) => entry.isDirectory()).toReversed();
  for (const { name } of folders) {
    const found = findFile(root, `${path}/${name}`, isWanted, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

function listEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
