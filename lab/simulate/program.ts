/**
 * relais as a program of the simulation: its real code, bundled once, with the modules and globals of Node that reach
 * the world replaced by simulated ones.
 *
 * Loading it anew for each process would cost more than a tick, so a loaded relais serves one process after the other.
 * What its modules remember begins empty each time: the bundler adds a line behind each variable of a module that begins
 * empty and can change.
 */
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compileFunction } from "node:vm";
import { build, type Plugin } from "esbuild";
import { isPure, LEVELS } from "../../scripts/rooms.mjs";
import type { readOwnIdentity as ReadOwnIdentity } from "../../src/process/process-identity.ts";
import type { openChanges as OpenChanges } from "../../src/queue/engine-parts.ts";
import type { joinParts as JoinParts } from "../../src/queue/files-parts.ts";
import type { openEngine as OpenEngine } from "../../src/queue/open-engine.ts";
import type { openNatsBeats as OpenNatsBeats } from "../../src/fleet/nats-beats.ts";
import type { openNatsLog as OpenNatsLog } from "../../src/fleet/nats-log.ts";

const root = resolve(import.meta.dirname, "../..");
const EMPTY =
  /^(?:export )?(?:const (\w+)(?:: [^=\n]+)? = (?:new (?:Map|Set)(?:<[^\n]*>)?\(\)|\[\])|let (\w+)(?:: [^=\n]+)? = null);$/gm;

/** Every room that can remember something of the world. */
const ACTING = new RegExp(
  `/src/(?:${LEVELS.flat()
    .filter((room) => !isPure(room))
    .join("|")})/[^/]+\\.ts$`,
);

/** What these remember follows from a text alone, whoever read it. */
const PURE = new Set(["parsedTexts"]);

/** Whatever a module remembers is forgotten when a new process begins. */
const forgetState: Plugin = {
  name: "forget-state",
  setup: (bundler) =>
    bundler.onLoad({ filter: ACTING }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const own = [...text.matchAll(EMPTY)].filter(([, container = ""]) => !PURE.has(container));
      const resets = own.map(([line, container, variable]) => {
        const reset =
          variable === undefined
            ? line.endsWith("[];")
              ? `${container}.length = 0`
              : `${container}.clear()`
            : `${variable} = null`;
        return `simulation.forget.push(() => void (${reset}));`;
      });
      return { contents: [`declare const simulation: any;`, text, ...resets].join("\n"), loader: "ts" };
    }),
};

/** The page of a browser and the builders of a drill are not part of the simulation. */
const withoutTexts: Plugin = {
  name: "without-texts",
  setup: (bundler) =>
    bundler.onLoad({ filter: /page\.html$|builders\.txt$/ }, () => ({ contents: "{}", loader: "text" })),
};

/** One file with all of relais, for `loadProgram`. */
export async function buildProgram(outfile: string): Promise<void> {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await build({
    absWorkingDir: root,
    stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["@nats-io/*"],
    define: { RELAIS_VERSION: JSON.stringify(version) },
    plugins: [forgetState, withoutTexts],
    logLevel: "warning",
  });
}

const ENTRY = `
export { main } from "./src/main.ts";
export { openEngine } from "./src/queue/open-engine.ts";
export { joinParts } from "./src/queue/files-parts.ts";
export { openChanges } from "./src/queue/engine-parts.ts";
export { readOwnIdentity } from "./src/process/process-identity.ts";
export { openNatsLog } from "./src/fleet/nats-log.ts";
export { openNatsBeats } from "./src/fleet/nats-beats.ts";
`;

export interface Globals {
  readonly process: object;
  readonly setTimeout: unknown;
  readonly setInterval: unknown;
  readonly setImmediate: unknown;
  readonly clearTimeout: unknown;
  readonly clearInterval: unknown;
  readonly clearImmediate: unknown;
  readonly Date: unknown;
  readonly performance: object;
  readonly AbortSignal: unknown;
}

export interface Terminal {
  readonly cwd: string;
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly relais: readonly [string, string];
  readonly signal: AbortSignal;
}

export interface QueueParts {
  readonly openEngine: typeof OpenEngine;
  readonly joinParts: typeof JoinParts;
  readonly openChanges: typeof OpenChanges;
  readonly readOwnIdentity: typeof ReadOwnIdentity;
  readonly openNatsLog: typeof OpenNatsLog;
  readonly openNatsBeats: typeof OpenNatsBeats;
}

export interface LoadedProgram {
  readonly main: (args: readonly string[], terminal: Terminal) => Promise<number>;
  readonly queue: QueueParts;
  /** Before each process. */
  readonly forget: () => void;
}

const NAMES = [
  "process",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "Date",
  "performance",
  "AbortSignal",
] as const;

/** Evaluates the bundle; `modules` are those that are simulated. */
export function loadProgram(file: string, globals: Globals, modules: Readonly<Record<string, object>>): LoadedProgram {
  const real = createRequire(import.meta.url);
  const load = (id: string): unknown => modules[id] ?? modules[`node:${id}`] ?? real(id);
  const simulation: { readonly forget: (() => void)[] } = { forget: [] };
  const module: { exports: Partial<Pick<LoadedProgram, "main"> & QueueParts> } = { exports: {} };
  const run: unknown = compileFunction(
    readFileSync(file, "utf8"),
    ["require", "module", "exports", "simulation", ...NAMES],
    {
      filename: file,
    },
  );
  if (typeof run !== "function") throw new Error("the bundle is no function");
  Reflect.apply(run, undefined, [load, module, module.exports, simulation, ...NAMES.map((name) => globals[name])]);
  const { main, ...queue } = module.exports;
  if (main === undefined || !isWhole(queue)) throw new Error("the bundle is not whole");
  return { main, queue, forget: () => simulation.forget.forEach((forget) => forget()) };
}

function isWhole(queue: Partial<QueueParts>): queue is QueueParts {
  return queue.openEngine !== undefined && queue.openNatsLog !== undefined;
}
