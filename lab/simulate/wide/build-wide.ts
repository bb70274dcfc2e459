/**
 * Bundles the wide search: the real `contract`, `core` and `run`, with doors of the model in the place of what reaches the
 * world. Whatever else is asked of `io` or of an agent's program ends the search with its name.
 */
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type * as Wide from "./search-wide.ts";

const HERE = join("lab", "simulate", "wide");

/** By the door, the modules of `src` that it replaces. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  machine: [
    "io/machine/clock",
    "io/machine/pause",
    "io/machine/hear-signals",
    "io/machine/deadline-signal",
    "io/git/git-bounds",
  ],
  agents: [
    "agents/choose-driver",
    "run/session/prompt-files",
    "run/shipped/session-files",
    "run/steps/run-agent",
    "io/files/drop-folder",
    "core/prompt/orchestrator-prompt",
  ],
  workspace: [
    "io/git/read-head",
    "io/git/find-commit",
    "io/journal/journal",
    "io/journal/journal-summary",
    "io/journal/survey-journal",
    "run/evidence/open-workplace",
    "run/workspace/config-file",
    "run/workspace/look-at-locks",
    "run/workspace/open-broken-workspace",
    "run/workspace/open-workspace",
    "run/workspace/read-workspace",
    "run/workspace/request-file",
    "run/workspace/take-locks",
  ],
  kept: [
    "io/content/change-pair",
    "io/content/content-store",
    "io/content/recorded-entry",
    "io/content/write-entries",
    "io/files/atomic-file",
    "io/files/blob-id",
    "io/files/bounded-file",
    "io/files/kept-folder",
    "io/files/list-folders",
    "io/files/read-now",
    "io/git/git-status",
    "io/workspace/run-directory",
  ],
  commit: ["run/keep/settle-commit", "run/keep/undo"],
  report: ["run/workspace/publish"],
  "run-check": ["run/checks/run-check"],
  quiet: [
    "io/content/remove-strays",
    "io/content/rescue",
    "io/commit/commit-identity",
    "io/commit/pin-hooks",
    "io/files/copy-beginning",
    "io/files/is-file",
    "io/files/is-folder",
    "io/files/leads-outside",
    "io/files/left-file",
    "io/files/own-folders",
    "io/files/redo-log",
    "io/files/set-folder-aside",
    "io/files/temporary-folder",
    "io/git/filter-settings",
    "io/git/git-version",
    "io/git/private-repository",
    "io/git/read-commit",
    "io/git/run-by-git",
    "io/machine/find-program",
    "io/observe/read-watch",
    "io/place/place-folder",
    "io/process/process-identity",
    "io/process/reap-session",
    "io/sandbox/sandbox",
    "io/workspace/remembered-repository",
    "run/checks/kept-tests",
    "run/evidence/change-patch",
    "run/evidence/choose-isolation",
    "run/evidence/same-index",
    "run/evidence/trial-note",
    "run/keep/commit-hooks",
    "run/keep/compact-content",
    "run/keep/sign-settlement",
    "run/notify/notify",
    "run/preflight/repository-rows",
    "run/recover/left-attempts",
    "run/recover/unproven-steps",
    "run/sandbox/tick-sandbox",
    "run/series/archive-milestones",
    "run/session/attempt-folder",
    "run/session/compare-prompt",
    "run/session/find-inside-programs",
    "run/session/read-recipes",
    "run/workspace/agent-programs",
    "run/workspace/held-out-lines",
    "run/workspace/history",
    "run/workspace/make-workspace",
    "run/workspace/missing-check-programs",
    "run/workspace/publication",
    "run/workspace/remember-status",
    "run/workspace/repository-refusals",
    "run/workspace/restore-published",
    "run/workspace/runner-documents",
    "run/workspace/series-branch",
  ],
};

/** Of `io`, what is pure: the text of a line, names of bytes, codes of errors. */
const REAL: readonly string[] = [
  "io/journal/journal-text",
  "io/journal/journal-file",
  "io/files/byte-path",
  "io/files/error-code",
  "agents/fallbacks",
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
    bundler.onLoad({ filter: /contract\/journal\/folded-lines\.ts$/ }, ({ path }) => ({
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

const isOfWorld = (name: string): boolean => name.startsWith("io/") || name.startsWith("agents/");

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
