/** A copy of the executable that a test may change, and a tick of it. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyBuilt } from "./copy-built.ts";
import { executable } from "./relais.ts";
import { gitEnvironment } from "./repositories.ts";
import { scratchFolder, scratchRepository } from "./scratch-repository.ts";

/** Says for each part how it was compiled, and each setting of V8 that was made. */
const WATCH = `
const vm = require("node:vm");
const seen = {};
const settings = [];
const v8 = require("node:v8");
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flags) => {
  settings.push(flags);
  setFlagsFromString(flags);
};
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    const name = require("node:path").basename(options.filename, ".cjs");
    seen[name] = options.cachedData === undefined ? "compiled" : this.cachedDataRejected ? "rejected" : "read";
  }
};
const { WATCHED } = process.env;
process.on("exit", () => WATCHED && require("node:fs").writeFileSync(WATCHED, JSON.stringify({ seen, settings })));`;

/** Without compiled code, and with a watch that `startWatched` uses. */
export function copyExecutable(folder: string = join(scratchFolder(), "relais-built")): string {
  copyBuilt(executable, folder);
  const copy = join(folder, basename(executable));
  writeFileSync(join(folder, "watch.cjs"), WATCH);
  writeFileSync(copy, readFileSync(copy, "utf8").replace(";", ';require("./watch.cjs");'));
  return copy;
}

interface CopiedTick {
  readonly copy: string;
  /** The file that its builder changes; only a.txt is allowed. */
  readonly changed: string;
  /** What its builder runs before that. */
  readonly lines: string;
}

/** Runs a tick of a copy of the executable, and answers with its report. */
export function runCopiedTick({ copy, changed, lines }: CopiedTick): unknown {
  const place = scratchFolder();
  const builder = join(place, "builder.sh");
  const result = '{"summary":"","files_intended":[],"commands_ran":[],"notes":[]}';
  writeFileSync(builder, `${lines}\necho 2 > ${changed}\nprintf '${result}' > "$RELAIS_RESULT_PATH"\n`);
  const config = {
    sandbox: "off",
    isolation: "in_place",
    builder: { default_mode: "command", command: { command: "sh", args: [builder] } },
    scope: { default_allowed_globs: ["a.txt"] },
  };
  const { root } = scratchRepository({ "a.txt": "1\n", "relais.config.json": JSON.stringify(config) });
  const env = { ...gitEnvironment(place), XDG_STATE_HOME: join(place, "state") };
  const args = [copy, "run", "Change a.txt", "--json"];
  return JSON.parse(spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" }).stdout);
}

export interface WatchedStart {
  readonly status: number | null;
  readonly stderr: string;
  readonly stdout: string;
  /** All ways in which parts were compiled. */
  readonly ways: readonly string[];
  /** Of V8, in their order. */
  readonly settings: readonly string[];
}

export const ANY_COMMAND = ["explain", "SUCCESS"];

interface StartOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Options of Node. */
  readonly node?: readonly string[];
}

export function startWatched(copy: string, { args = ANY_COMMAND, cwd, node = [] }: StartOptions = {}): WatchedStart {
  const place = scratchFolder();
  const watched = join(place, "watched.json");
  const env = { ...gitEnvironment(place), XDG_STATE_HOME: join(place, "state"), WATCHED: watched };
  const options = { cwd: cwd ?? place, env, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, copy, ...args], options);
  const { seen, settings }: { seen: Record<string, string>; settings: readonly string[] } = JSON.parse(
    readFileSync(watched, "utf8"),
  );
  return { status, stdout, stderr, ways: [...new Set(Object.values(seen))], settings };
}

export const locateCache = (copy: string): string => join(dirname(copy), "cache");
