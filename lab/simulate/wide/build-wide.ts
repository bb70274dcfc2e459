/**
 * Bundles the wide search: the real rooms, with doors of the model in the place of what reaches the world. Whatever else is
 * asked of a door or of an agent's program ends the search with its name.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { DOORS as WORLD } from "../../../scripts/rooms.mjs";
import type * as Wide from "./search-wide.ts";

const HERE = join("lab", "simulate", "wide");

/** By the door, the modules of `src` that it replaces. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  machine: ["system/clock", "system/pause", "system/hear-signals", "system/deadline-signal", "git/git-bounds"],
  agents: [
    "agents/choose-driver",
    "tick/prompt-files",
    "workspace/session-files",
    "tick/run-agent",
    "system/drop-folder",
    "tick/pure/orchestrator-prompt",
  ],
  workspace: [
    "git/read-head",
    "git/find-commit",
    "journal/journal",
    "journal/journal-summary",
    "journal/survey-journal",
    "place/open-workplace",
    "workspace/config-file",
    "workspace/look-at-locks",
    "workspace/open-broken-workspace",
    "workspace/open-workspace",
    "workspace/read-workspace",
    "workspace/request-file",
    "workspace/take-locks",
  ],
  kept: [
    "store/change-pair",
    "store/content-store",
    "store/recorded-entry",
    "store/write-entries",
    "system/atomic-file",
    "system/blob-id",
    "system/bounded-file",
    "store/kept-folder",
    "system/list-folders",
    "system/read-now",
    "git/git-status",
    "journal/run-directory",
  ],
  commit: ["keep/settle-commit", "keep/undo"],
  report: ["workspace/publish"],
  "run-check": ["checks/run-check"],
  quiet: [
    "store/remove-strays",
    "store/rescue",
    "store/commit-identity",
    "store/pin-hooks",
    "system/copy-beginning",
    "system/is-file",
    "system/is-folder",
    "system/leads-outside",
    "system/left-file",
    "system/own-folders",
    "system/redo-log",
    "system/set-folder-aside",
    "system/temporary-folder",
    "git/filter-settings",
    "git/git-version",
    "git/private-repository",
    "git/read-commit",
    "git/run-by-git",
    "system/find-program",
    "store/read-watch",
    "sandbox/place-folder",
    "process/process-identity",
    "process/reap-session",
    "sandbox/sandbox",
    "journal/remembered-repository",
    "checks/kept-tests",
    "evidence/change-patch",
    "place/choose-isolation",
    "evidence/same-index",
    "journal/trial-note",
    "keep/commit-hooks",
    "keep/compact-content",
    "keep/sign-settlement",
    "workspace/notify",
    "tick/repository-rows",
    "decide/left-attempts",
    "decide/refuse-unproven",
    "place/tick-sandbox",
    "workflows/archive-milestones",
    "tick/attempt-folder",
    "tick/compare-prompt",
    "checks/find-inside-programs",
    "checks/read-recipes",
    "workspace/agent-programs",
    "workspace/held-out-lines",
    "workspace/history",
    "workspace/make-workspace",
    "workspace/missing-check-programs",
    "workspace/publication",
    "workspace/remember-status",
    "workspace/repository-refusals",
    "workspace/restore-published",
    "workspace/runner-documents",
    "workspace/series-branch",
  ],
};

/** Of `io`, what is pure: the text of a line, names of bytes, codes of errors. */
const REAL: readonly string[] = [
  "journal/journal-text",
  "journal/journal-file",
  "system/byte-path",
  "system/error-code",
  "agents/fallbacks",
  "journal/recorded-evidence",
  "process/in-background",
];

const doors = new Map(Object.entries(DOORS).flatMap(([door, names]) => names.map((name) => [name, door] as const)));

const openDoors: Plugin = {
  name: "open-doors",
  setup: (bundler) => {
    bundler.onResolve({ filter: /\.ts$/ }, ({ importer, resolveDir, path, namespace }) => {
      const file = resolve(resolveDir, path);
      const name = relative("src", file).replace(/\.ts$/, "");
      if (name.startsWith("..") || REAL.includes(name)) return null;
      const door = doors.get(name);
      const isOwn = namespace === "file" && importer.endsWith(join(HERE, "doors", `${door ?? ""}.ts`));
      // A door may use the module that it replaces.
      if (door !== undefined && !isOwn) return { path: file, namespace: "door", pluginData: door };
      return isOfWorld(name) ? { path: file, namespace: "door", pluginData: null } : null;
    });
    bundler.onResolve({ filter: /^node:timers\/promises$/ }, () => ({ path: resolve(HERE, "doors", "machine.ts") }));
    bundler.onLoad({ filter: /\/folded-lines\.ts$/ }, ({ path }) => ({
      contents: summariseSooner(readFileSync(path, "utf8")),
      loader: "ts",
    }));
    bundler.onLoad({ filter: /.*/, namespace: "door" }, ({ path, pluginData }) => ({
      contents: writeDoor(path, typeof pluginData === "string" ? resolve(HERE, "doors", `${pluginData}.ts`) : null),
      loader: "ts",
      resolveDir: resolve(HERE, "doors"),
    }));
  },
};

/** A journal is opened by its summary after a few ticks, not after twenty. */
function summariseSooner(text: string): string {
  const sooner = text
    .replace("RECENT_TICKS = 20;", "RECENT_TICKS = 3;")
    .replace("RECENT_LINES = 120;", "RECENT_LINES = 25;");
  if (sooner.length !== text.length - 2) throw new Error("the length of a summary is set elsewhere");
  return sooner;
}

const isOfWorld = (name: string): boolean => [...WORLD, "agents"].includes(dirname(name));

/** What the door has of a module; everything else only says that the model does not have it. */
function writeDoor(path: string, door: string | null): string {
  const short = relative("src", path);
  const open = door === null ? [] : listExports(readFileSync(door, "utf8"));
  const lines = listExports(readFileSync(path, "utf8")).map((name) => {
    if (open.includes(name)) return `export { ${name} } from ${JSON.stringify(door)};`;
    const message = JSON.stringify(`not in the model: ${name} of ${short}`);
    return /^[A-Z_]+$/.test(name)
      ? `export const ${name} = null;`
      : `export function ${name}() { throw getWorld().fail(${message}); }`;
  });
  return [`import { getWorld } from "../stage.ts";`, ...lines].join("\n");
}

function listExports(text: string): readonly string[] {
  const declared = [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map(([, name]) => name);
  const passedOn = [...text.matchAll(/^export \{ ([\w, ]+) \}/gm)].flatMap(([, names]) => names?.split(", "));
  return [...declared, ...passedOn].flatMap((name) => name ?? []);
}

export async function loadWide(): Promise<typeof Wide> {
  return import(pathToFileURL(await buildWide("search-wide")).href);
}

/** The path of the bundle. */
export async function buildWide(entry: "search-wide" | "child"): Promise<string> {
  const outfile = resolve(".cache", "simulate", `wide-${entry}.mjs`);
  await build({
    entryPoints: [join(HERE, `${entry}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [openDoors],
    loader: { ".txt": "text", ".md": "text" },
    logLevel: "warning",
  });
  return outfile;
}
