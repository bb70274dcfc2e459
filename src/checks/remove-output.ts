import { join } from "node:path";
import { isDependency } from "../records/dependencies.ts";
import { compileAllowed } from "../base/globs.ts";
import { removeTrees } from "../system/remove-tree.ts";
import { listGitPaths } from "../workspace/list-git-paths.ts";
import type { CheckContext } from "./run-check.ts";

const LIST_BYTES_MAX = 64 * 1024 * 1024;

/** Removes ignored build output from the place, so that nothing old decides a check. Dependencies stay. */
export async function removeOutput({ place, config }: Pick<CheckContext, "place" | "config">): Promise<void> {
  const isOutput = compileAllowed(config.ignored_writable_globs);
  const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const around = { ...place.repository, root: place.tree };
  const ignored = await listGitPaths(around, { args, outputBytesMax: LIST_BYTES_MAX });
  const output = ignored
    .filter((path) => isOutput(path.endsWith("/") ? `${path}x` : path) !== null)
    .filter((path) => !isDependency({ path: path.replace(/\/$/u, ""), standing: "ignored" }))
    .filter((path) => !`${path}/`.startsWith(`${config.workspace_dir}/`));
  if (output.length > 0) removeTrees(output.map((path) => Buffer.from(join(place.tree, path.replace(/\/$/u, "")))));
}
