import { join } from "node:path";
import * as v from "valibot";
import type { Config } from "../config/config.ts";
import { readBounded } from "../system/bounded-file.ts";
import { isFile } from "../system/is-file.ts";
import { isFolder } from "../system/is-folder.ts";
import { parseJson } from "../system/parse-json.ts";

const TOOLS = ["npm", "npx", "pnpm", "yarn", "bun"];
const BYTES_MAX = 1_000_000;
const Names = v.optional(v.record(v.string(), v.unknown()), {});
const Manifest = v.object({ dependencies: Names, devDependencies: Names });

interface WantedChecks {
  readonly root: string;
  readonly checks: readonly string[];
  readonly templates: Config["verification"]["templates"];
}

/** The tool to install packages with, where a check needs packages that nobody has installed yet; null otherwise. */
export async function findMissingPackages({ root, checks, templates }: WantedChecks): Promise<string | null> {
  const tool = templates.find(({ id, cmd }) => checks.includes(id) && TOOLS.includes(cmd))?.cmd ?? null;
  if (tool === null || areInstalled(root)) return null;
  const read = await readBounded(join(root, "package.json"), BYTES_MAX);
  if (read.kind !== "read") return null;
  const manifest = v.safeParse(Manifest, parseJson(read.data.toString("utf8")));
  if (!manifest.success) return null;
  const { dependencies, devDependencies } = manifest.output;
  if (Object.keys({ ...dependencies, ...devDependencies }).length === 0) return null;
  return tool === "npx" ? "npm" : tool;
}

/** The dot follows a link to the folder. */
function areInstalled(root: string): boolean {
  return isFolder(`${root}/node_modules/.`) || isFile(join(root, ".pnp.cjs"));
}
