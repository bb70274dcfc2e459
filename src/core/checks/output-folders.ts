import type { Change } from "../../contract/evidence/evidence.ts";

/** Files that a program loads as code. */
const CODE = /\.(?:[cm]?js|jsx|[cm]?ts|tsx|json|py|pyc|so|node|wasm|rb|php|class|jar|sh)$/;
/** A folder that may be written wherever it lies; tools alone read those that begin with a dot, and these. */
const WRITABLE = /^\*\*\/(?<name>[^*/.][^*/]*)\/\*\*$/;
const OF_TOOLS = new Set(["coverage", "htmlcov", "__pycache__"]);

/** The folders of build output with changed code, by the name under which a test would mention them. */
export function listOutputFolders(
  changes: readonly Change[],
  writable: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Set(
    writable.flatMap((glob) => WRITABLE.exec(glob)?.groups?.["name"] ?? []).filter((name) => !OF_TOOLS.has(name)),
  );
  const folders = new Map<string, Set<string>>();
  for (const { path, standing } of changes) {
    if (standing !== "ignored" || !CODE.test(path)) continue;
    const parts = path.split("/");
    const at = parts.findIndex((part) => names.has(part));
    const name = parts[at];
    if (name !== undefined) folders.set(name, (folders.get(name) ?? new Set()).add(parts.slice(0, at + 1).join("/")));
  }
  return folders;
}
