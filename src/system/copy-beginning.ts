import { readSync } from "node:fs";
import { writeAtomic } from "./atomic-file.ts";
import { withOrdinaryFile } from "./bounded-file.ts";

/** Copies at most `bytesMax` of a file and notes that it was cut; a missing file is not copied. */
export async function copyBeginning(source: string, target: string, bytesMax: number): Promise<void> {
  await withOrdinaryFile(source, async (descriptor, size) => {
    const buffer = Buffer.alloc(Math.min(size, bytesMax));
    let length = 0;
    while (length < buffer.length) {
      const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const note = size > bytesMax ? `\n(cut: the first ${bytesMax} of ${size} bytes)\n` : "";
    await writeAtomic(target, Buffer.concat([buffer.subarray(0, length), Buffer.from(note)]), {
      mode: 0o600,
    });
  });
}
