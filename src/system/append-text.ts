import { closeSync, constants, openSync, writeFileSync } from "node:fs";

const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;

/** Adds to the end of a file that only its owner may read, and never through a link. */
export async function appendText(path: string, text: string): Promise<void> {
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
