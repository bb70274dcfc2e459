/**
 * Whether objects of git are what their names say.
 *
 * Git does not hash an object again when it reads it, so a forged one passes for the content of its name. New objects
 * are hashed here before they may stay in a repository: loose ones by ourselves, packs by git, which compares them with
 * a new index.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { MeasurementError } from "../base/errors.ts";
import { type GitAccess, runGit } from "./git.ts";

/** What no honest object reaches; a small file can unfold to any size. */
const UNFOLDED_BYTES_MAX = 4 * 1024 * 1024 * 1024;

export async function isGenuineLoose(file: Buffer, id: string): Promise<boolean> {
  const hash = createHash(id.length === 64 ? "sha256" : "sha1");
  let bytes = 0;
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(file, flags);
    await pipeline(handle.createReadStream(), createInflate(), async (unfolded) => {
      for await (const chunk of unfolded) {
        const content: Buffer = chunk;
        bytes += content.length;
        if (bytes > UNFOLDED_BYTES_MAX) throw new MeasurementError(id, "it unfolds to too many bytes");
        hash.update(content);
      }
    });
  } catch {
    return false;
  }
  return hash.digest("hex") === id;
}

/** Whether a pack and its index belong together and hold what they say. `access` is a repository of our own. */
export async function isGenuinePack(index: string, access: GitAccess): Promise<boolean> {
  const format = /pack-[0-9a-f]{64}\.idx$/.test(index) ? "sha256" : "sha1";
  const { status } = await runGit({
    ...access,
    args: ["verify-pack", `--object-format=${format}`, "--", index],
    okStatuses: [0, 1, 128],
  });
  return status === 0;
}
