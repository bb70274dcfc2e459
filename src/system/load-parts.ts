/**
 * Loads the parts of relais, from the disk or from memory, with the compiled code that an earlier process left.
 *
 * Once a program was started they are in memory: those that are needed later are then the ones that were installed when
 * it started. A builder of the same user can write to them, and must not change what this process does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import {
  type CodeNotes,
  type CompiledCode,
  dropForgedCode,
  noteCodeFiles,
  readCompiledCode,
  writeCompiledCode,
} from "./compiled-code.ts";
import { isOutsideRepository } from "./outside-repository.ts";

/**
 * Settings of V8 for short work. V8 optimizes functions and expressions early, and collects garbage on several threads,
 * for processes that run for long. A tick or a judgement is over before that pays, so a function must run longer here
 * before it is optimized, and the space for new objects grows fast. In long work the hot functions are optimized all the
 * same.
 *
 * V8 reads compiled code, ours and that of Node itself, only with the settings that it was written with. So the usual
 * ones are in force while something is loaded, and when compiled code is written.
 */
interface Engine {
  readonly setFlagsFromString: (flags: string) => void;
}

/** Only this V8 was measured; later ones have other settings, and print an error for one that they do not know. */
const V8 = "11.3.";

/** Each as usual, and for short work. */
const SETTINGS = [
  // In bytes of bytecode that a function runs.
  ["--interrupt-budget=67584", "--interrupt-budget=8000000"],
  ["--regexp-peephole-optimization", "--no-regexp-peephole-optimization"],
  // How often an expression is used before it is compiled to machine code.
  ["--regexp-tier-up-ticks=1", "--regexp-tier-up-ticks=20"],
  ["--semi-space-growth-factor=2", "--semi-space-growth-factor=4"],
  // Other threads cost more than they save while there is little to collect.
  ["--parallel-scavenge", "--no-parallel-scavenge"],
  ["--incremental-marking", "--no-incremental-marking"],
  ["--minor-gc-task", "--no-minor-gc-task"],
] as const;
const USUAL_SETTINGS = SETTINGS.map(([usual]) => usual).join(" ");
const DEFERRED = SETTINGS.map(([, deferred]) => deferred).join(" ");

let engine: Engine | null = null;

/** The module takes some time to load, less after others that a command needs in order to start programs. */
export function deferOptimization(): void {
  if (engine !== null || !process.versions.v8.startsWith(V8)) return;
  engine = process.getBuiltinModule("node:v8");
  set(DEFERRED);
}

export function withUsualSettings<T>(load: () => T): T {
  if (engine === null) return load();
  set(USUAL_SETTINGS);
  try {
    return load();
  } finally {
    set(DEFERRED);
  }
}

function set(flags: string): void {
  engine?.setFlagsFromString(flags);
}

/** Put in place by the build: a hash of all parts. */
declare const RELAIS_BUILD: string;

interface Parts {
  readonly folder: string;
  /** Those that were not loaded yet by path, once they are in memory. */
  held: ReadonlyMap<string, Buffer> | null;
  /** Where compiled code is kept, null if it is not. */
  readonly codeFile: string | null;
  readonly known: CompiledCode | null;
  readonly scripts: Map<string, Script>;
  /** By path. */
  readonly loaded: Map<string, { exports: unknown }>;
  /** Whether a part had to be compiled, and whether V8 refused its code. */
  isNew: boolean;
  isRefused: boolean;
  startsPrograms: boolean;
  notes: CodeNotes | null;
}

const SUFFIX = ".cjs";
const WORD = /^[a-z]{1,16}$/u;
const HEAD = "(function (exports, require, module, __filename, __dirname) { ";
const opened = new Map<string, Parts>();

/** The folder of this file in the executable; the sources have none. */
const ownFolder = (): string | null => (typeof __dirname === "undefined" ? null : __dirname);

interface Call {
  readonly args: readonly string[];
  /** Of Node. */
  readonly options: string;
  /** Fails if the folder of the call is gone. */
  readonly findFolder: () => string;
}

/** From now on parts are compiled once: the code that this command used is left for the next process. */
export function keepCompiledParts(call: Call): void {
  const folder = ownFolder();
  if (folder === null) return;
  const parts = openParts(folder, locateCode(folder, call.args));
  process.once("exit", () => leaveCode(parts, call));
}

/** Commands use different functions of the same parts, so each has a file of its own. */
function locateCode(folder: string, args: readonly string[]): string {
  const word = args.find((argument) => WORD.test(argument)) ?? "other";
  return join(dirname(folder), "cache", [RELAIS_BUILD, process.version, process.arch, word].join("-"));
}

/** Holds the parts in `folder`. Compiled code that changed since it was held is removed: a program may have forged it. */
export function holdParts(folder: string | null = ownFolder()): void {
  if (folder === null) return;
  const parts = opened.get(folder) ?? openParts(folder, null);
  if (parts.held !== null) return checkCode(parts);
  const files = readdirSync(folder).flatMap((name) => (name.endsWith(SUFFIX) ? [join(folder, name)] : []));
  parts.held = new Map(files.filter((file) => !parts.loaded.has(file)).map((file) => [file, readFileSync(file)]));
  parts.notes = parts.codeFile === null ? null : noteCodeFiles(dirname(parts.codeFile));
}

function checkCode({ codeFile, notes }: Parts): void {
  if (codeFile !== null && notes !== null) dropForgedCode(dirname(codeFile), notes);
}

function openParts(folder: string, codeFile: string | null): Parts {
  const known = codeFile === null ? null : readCompiledCode(codeFile, folder);
  const { extensions, cache } = createRequire(join(folder, SUFFIX));
  const loaded = new Map(
    Object.values(cache).flatMap((module) => (module === undefined ? [] : [[module.filename, module]])),
  );
  const parts: Parts = {
    folder,
    held: null,
    codeFile,
    known,
    scripts: new Map(),
    loaded,
    isNew: false,
    isRefused: false,
    startsPrograms: false,
    notes: null,
  };
  opened.set(folder, parts);
  const loadOther = extensions[SUFFIX] ?? extensions[".js"];
  extensions[SUFFIX] = (module, file) => {
    if (dirname(file) === folder) runPart(parts, module, file);
    else loadOther(module, file);
  };
  return parts;
}

/** As Node itself runs the text of a module, and with the same lines and columns in a trace. */
function runPart(parts: Parts, module: { exports: unknown }, file: string): void {
  parts.loaded.set(file, module);
  const cachedData = parts.known?.parts.get(basename(file));
  const code = `${HEAD}${readPart(parts, file)}\n})`;
  const options = { filename: file, columnOffset: -HEAD.length, ...(cachedData === undefined ? {} : { cachedData }) };
  const script = withUsualSettings(() => new Script(code, options));
  if (script.cachedDataRejected === true) parts.isRefused = true;
  if (cachedData === undefined) parts.isNew = true;
  parts.scripts.set(basename(file), script);
  const run: unknown = script.runInThisContext();
  if (typeof run !== "function") throw new Error(`${file} is no part of relais`);
  const load = (id: string): unknown =>
    id.startsWith(".") ? loadPart(parts, join(file, "..", id)) : loadOfNode(parts, id);
  Reflect.apply(run, module.exports, [module.exports, load, module, file, dirname(file)]);
}

function loadPart(parts: Parts, file: string): unknown {
  const known = parts.loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  try {
    runPart(parts, module, file);
  } catch (error) {
    parts.loaded.delete(file);
    throw error;
  }
  return module.exports;
}

/** Almost every command uses these, and often. */
const USUAL = new Set(["node:fs", "node:path", "node:util"]);
const STARTS_PROGRAMS = "node:child_process";

/** All others are loaded when something of them is used: a part names many that its commands rarely need. */
function loadOfNode(parts: Parts, id: string): unknown {
  if (USUAL.has(id)) return process.getBuiltinModule(id);
  let found: object | undefined;
  const find = (): object => (found ??= findOfNode(parts, id));
  return new Proxy({}, { get: (_target, name): unknown => Reflect.get(find(), name) });
}

function findOfNode(parts: Parts, id: string): object {
  const found = withUsualSettings(() => process.getBuiltinModule(id)) ?? failToLoad(id);
  if (id === STARTS_PROGRAMS) {
    parts.startsPrograms = true;
    deferOptimization();
  }
  return found;
}

function failToLoad(id: string): never {
  throw new Error(`this Node has no module ${id}`);
}

/** The build leaves only ASCII in a part. */
function readPart({ held }: Parts, file: string): string {
  const code = held === null ? readFileSync(file, "latin1") : held.get(file)?.toString("latin1");
  if (code === undefined) throw new Error(`${file} was no part of relais at its start`);
  return code;
}

/** A process that worked for longer than the one that left the code has probably compiled more of it. */
const LONGER = 1.5;
const LARGER = 1.1;
/** The first tick takes other ways than those after it, which find what the one before has left. */
const PROCESSES = 3;

/** Never fails, and says nothing: without it the next process starts slower, that is all. */
function leaveCode(parts: Parts, { options, findFolder }: Call): void {
  checkCode(parts);
  const processes = parts.isRefused ? 1 : (parts.known?.processes ?? 0) + 1;
  const origin = { cpuMs: process.cpuUsage().user / 1000, options, processes };
  if (!isWorthIt(parts, origin)) return;
  try {
    // A file that relais writes into a repository would look like the work of a builder.
    if (isOutsideRepository(parts.folder, findFolder())) withUsualSettings(() => writeCode(parts, origin));
  } catch {
    // Compiled code that cannot be written only makes the next start slower.
  }
}

type Origin = Omit<CompiledCode, "parts">;

type LoadedParts = Pick<Parts, "isNew" | "isRefused" | "startsPrograms"> & { readonly known: Origin | null };

/** Whether the code of this process is worth writing. */
export function isWorthIt(parts: Readonly<LoadedParts>, { cpuMs, options, processes }: Origin): boolean {
  const { isNew, isRefused, startsPrograms, known } = parts;
  // V8 refuses code that was compiled with other options. The usual ones are none.
  if (isRefused) return options === "" || options === known?.options;
  return isNew || (startsPrograms && processes <= PROCESSES) || cpuMs > (known?.cpuMs ?? 0) * LONGER;
}

function writeCode(parts: Parts, origin: Origin): void {
  if (parts.codeFile === null) return;
  const earlier = parts.known?.parts ?? new Map<string, Buffer>();
  const all = new Map(parts.isRefused ? [] : earlier);
  for (const [name, script] of parts.scripts) all.set(name, script.createCachedData());
  const isLarger = sumSizes(all) > sumSizes(earlier) * LARGER;
  // With the longer time, so that the next process of this length does not look again.
  const isBetter = parts.isNew || parts.isRefused || isLarger || origin.processes <= PROCESSES;
  writeCompiledCode(parts.codeFile, parts.folder, { ...origin, parts: isBetter ? all : earlier });
}

function sumSizes(parts: ReadonlyMap<string, Buffer>): number {
  return Array.from(parts.values()).reduce((sum, { length }) => sum + length, 0);
}
