import { isRecord } from "../../base/is-record.ts";

/** The fields of package.json that name files of the package. */
const FIELDS = ["main", "module", "browser", "exports", "bin", "types", "typings", "man"];
/** As Node completes a name. */
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".json", "/index.js"];

/** The tracked files that package.json declares as the package's own. */
export function listMainPaths(manifest: string | undefined, tracked: ReadonlySet<string>): readonly string[] {
  const fields = parseManifest(manifest);
  const named = FIELDS.flatMap((field) => listTexts(fields[field], 0))
    .map((path) => path.replace(/^\.\/+/u, "").replace(/\/+$/u, ""))
    .flatMap((path) => ENDINGS.map((ending) => `${path}${ending}`).find((candidate) => tracked.has(candidate)) ?? []);
  return [...new Set(named)].filter((path) => path !== "package.json");
}

const DEPTH_MAX = 8;

/** Conditions and subpaths of `exports` are nested. */
function listTexts(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(value)) return value.flatMap((part) => listTexts(part, depth + 1));
  return isRecord(value) ? Object.values(value).flatMap((part) => listTexts(part, depth + 1)) : [];
}

function parseManifest(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse((text ?? "").replace(/^\uFEFF/u, ""));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
