import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "../system/make-folders.ts";

/** Writes files below a folder by their relative paths; one that begins with `#!` is a program. */
export function putFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    makeFolders(dirname(path));
    writeFileSync(path, text);
    if (text.startsWith("#!")) chmodSync(path, 0o755);
  }
}
