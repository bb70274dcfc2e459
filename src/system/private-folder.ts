import { join } from "node:path";
import { makeFolders } from "./folders.ts";
import { lendFolder } from "./temporary-folder.ts";

const PREFIX = "work-";

/** Whether it is the lent folder of a process that was killed before it could remove it. */
export function isLentFolder(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Lends a fresh folder below a private one and removes it afterwards; links in it are removed, not followed. */
export async function withPrivateFolder<T>(parent: string, use: (folder: string) => Promise<T>): Promise<T> {
  makeFolders(parent, 0o700);
  return lendFolder(join(parent, PREFIX), use);
}
