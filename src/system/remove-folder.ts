import { readdirSync, rmdirSync, rmSync, unlinkSync } from "node:fs";

/** Removes a folder of relais itself with everything in it, or a file. Node's own way asks about each entry twice. */
export function removeFolder(path: string): void {
  try {
    removeContent(path);
  } catch {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 }); // It is no folder, it is gone, or it is in use.
  }
}

function removeContent(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeContent(path);
    else unlinkSync(path);
  }
  rmdirSync(folder);
}
