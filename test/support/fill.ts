import { mkdirSync, writeFileSync } from "node:fs";

/** Makes that many small files in a folder. */
export function fill(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n += 1) writeFileSync(`${folder}/${n}`, `${n}\n`);
}
