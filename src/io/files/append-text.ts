import { constants } from "node:fs";
import { open } from "node:fs/promises";

const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;

/** Adds to the end of a file that only its owner may read, and never through a link. */
export async function appendText(path: string, text: string): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
