import { join } from "node:path";
import type { BuilderWords } from "../../core/workflow/builder-brief.ts";
import { writeAtomic } from "../../io/files/atomic-file.ts";
import type { DropFolder } from "../../io/files/drop-folder.ts";

export type Proposals = Pick<Required<BuilderWords>, "proposals" | "refused">;

export const locateProposalFile = (name: string): string => `proposal-${name}`;

/** Reads what the session left for the workflow, before the folder is removed. A copy stays with the tick. */
export async function takeProposals(
  drop: DropFolder,
  wanted: readonly (readonly [name: string, bytesMax: number])[],
  runDirectory: string,
): Promise<Proposals> {
  const proposals = new Map<string, Uint8Array>();
  const refused = new Map<string, string>();
  for (const [name, bytesMax] of wanted) {
    const left = await drop.read(name, bytesMax);
    if (left.kind === "refused") refused.set(name, REFUSED[left.reason](bytesMax));
    if (left.kind !== "read") continue;
    await writeAtomic(join(runDirectory, locateProposalFile(name)), left.data, { mode: 0o600 });
    proposals.set(name, left.data);
  }
  return { proposals, refused };
}

const REFUSED = {
  link: () => "it is a link",
  folder: () => "it is a folder",
  special: () => "it is not a regular file",
  too_large: (bytesMax: number) => `it has more than ${bytesMax} bytes`,
  unreadable: () => "it cannot be read",
} as const;
