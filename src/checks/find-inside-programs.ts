import { relative } from "node:path";
import { escapeGlob } from "./pure/check-steering.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findProgram } from "../system/find-program.ts";

/** Dependencies are installed, and their programs are links into them. */
const DEPENDENCIES = /(?:^|\/)node_modules\//u;

/** The programs of checks that the PATH finds inside the repository, as in an activated virtual environment: globs. */
export async function findInsidePrograms(
  { root, environment }: Repository,
  names: readonly string[],
): Promise<readonly string[]> {
  const path = environment["PATH"];
  if (path === undefined) return [];
  const found = await Promise.all(names.map((name) => findProgram(name, { path, cwd: root })));
  return found.flatMap((file) => {
    const inside = file === null ? ".." : relative(root, file);
    return inside.startsWith("..") || DEPENDENCIES.test(inside) ? [] : escapeGlob(inside);
  });
}
