import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryOverlay } from "../../src/sandbox/mount-holder.ts";

/** The workplaces that this machine has. */
export async function listIsolations(): Promise<readonly ("in_place" | "overlay" | "clone")[]> {
  const folder = mkdtempSync(join(tmpdir(), "relais-isolations-"));
  try {
    return (await tryOverlay(folder)) === null ? ["in_place", "overlay", "clone"] : ["in_place", "clone"];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
