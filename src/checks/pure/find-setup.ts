/** A build that the checks need: its output is ignored, and the script of a check names it without building it. */
import type { CheckTemplate } from "../../records/initialised.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ProjectFacts } from "./check-sources.ts";

const FOLDERS = ["dist", "build", "out"];
const MANAGERS = ["npm", "pnpm", "yarn", "bun"];

export function findSetup(
  { texts, folders }: Pick<ProjectFacts, "texts" | "folders">,
  templates: readonly CheckTemplate[],
): readonly Omit<CheckTemplate, "id">[] {
  const build = templates.find(({ id, cmd }) => id === "build" && MANAGERS.includes(cmd));
  if (build === undefined) return [];
  const scripts = readScripts(texts.get("package.json") ?? "");
  const output = FOLDERS.filter((folder) => !folders.has(folder) && isIgnored(folder, texts.get(".gitignore") ?? ""));
  const isUsed = templates
    .filter(({ id }) => id !== "build" && !scripts.has(`pre${id}`))
    .map(({ id }) => scripts.get(id) ?? "")
    .some((script) => !/\bbuild\b(?!\/)/u.test(script) && output.some((folder) => names(script, folder)));
  return isUsed ? [{ cmd: build.cmd, args: build.args }] : [];
}

/** By a plain line of the root; anything cleverer is left to the person. */
function isIgnored(folder: string, text: string): boolean {
  return text.split(/\r?\n/u).some((line) => line.trim().replace(/^\//u, "").replace(/\/$/u, "") === folder);
}

function names(script: string, folder: string): boolean {
  return script.split(/[\s"'=]+/u).some((word) => word.replace(/^\.\//u, "").startsWith(`${folder}/`));
}

function readScripts(text: string): ReadonlyMap<string, string> {
  const scripts = readObject(text)["scripts"];
  const entries = isRecord(scripts) ? Object.entries(scripts) : [];
  return new Map(entries.flatMap(([name, script]) => (typeof script === "string" ? [[name, script] as const] : [])));
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
