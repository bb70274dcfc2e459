/**
 * Where an editor finds the schema of the configuration.
 *
 * Of a relais in the project's own packages it is the schema of that version, in every clone. Otherwise it is a copy in
 * the workspace: an absolute path would name one machine, and an address would need a network. Where git ignores the
 * workspace, the copy is relais' own and follows its version; `relais init` makes it again in another clone.
 */
import { dirname, join } from "node:path";
import type { Config } from "../config/config.ts";
import { SELF_IGNORE } from "../config/workspace-layout.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { isFile } from "../system/is-file.ts";
import { isFolder } from "../system/is-folder.ts";
import { makeFolders } from "../system/make-folders.ts";
import { createFile, findObstacle } from "../journal/workspace-files.ts";
import { readShippedSchema } from "../workspace/shipped-files.ts";
import { isSelfIgnored } from "./own-files.ts";

const NAME = "schemas/config.schema.json";
const INSTALLED = `node_modules/relais/${NAME}`;

interface SchemaPlace {
  readonly workspace: string;
  readonly isFull: boolean;
  /** Null where it is not written yet. */
  readonly existing: Pick<Config, "$schema"> | null;
}

/** The value of `$schema`; null where the workspace folder belongs to somebody else. */
export async function placeEditorSchema(
  root: string,
  { workspace, isFull, existing }: SchemaPlace,
): Promise<string | null> {
  const path = `${workspace}/${NAME}`;
  if (isFull) return `./${path}`;
  // A copy that nothing names would be of no use.
  if (existing !== null && existing.$schema !== `./${path}`) return null;
  if (isFile(join(root, INSTALLED))) return `./${INSTALLED}`;
  await keepCopy(root, workspace);
  return isFile(join(root, path)) ? `./${path}` : null;
}

async function keepCopy(root: string, workspace: string): Promise<void> {
  const isOwn = !isFolder(join(root, workspace)) || (await isSelfIgnored(root, workspace));
  const path = `${workspace}/${NAME}`;
  if (!isOwn || (await findObstacle(root, dirname(path))) !== null) return;
  makeFolders(join(root, dirname(path)));
  await createFile(join(root, workspace, ".gitignore"), SELF_IGNORE);
  await writeAtomic(join(root, path), `${JSON.stringify(readShippedSchema("config"), null, 2)}\n`);
}
