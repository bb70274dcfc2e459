/**
 * V8 optimizes functions and expressions early, for processes that run for long. A tick or a judgement is over before that
 * pays, so a function must run longer here before it is optimized. In long work the hot ones are optimized all the same.
 *
 * V8 reads compiled code, ours and that of Node itself, only with the settings that it was written with. So the usual
 * ones are in force while something is loaded, and when compiled code is written.
 */
interface Engine {
  readonly setFlagsFromString: (flags: string) => void;
}

/** Only this V8 was measured; later ones have other settings, and print an error for one that they do not know. */
const V8 = "11.3.";
/** The budget is in bytes of bytecode that a function runs. */
const USUAL = ["--interrupt-budget=67584", "--regexp-peephole-optimization"];
const DEFERRED = ["--interrupt-budget=2000000", "--no-regexp-peephole-optimization"];

let engine: Engine | null = null;

/** The module takes some time to load, less after others that a command needs in order to start programs. */
export function deferOptimization(): void {
  if (engine !== null || !process.versions.v8.startsWith(V8)) return;
  engine = process.getBuiltinModule("node:v8");
  set(DEFERRED);
}

export function withUsualSettings<T>(load: () => T): T {
  if (engine === null) return load();
  set(USUAL);
  try {
    return load();
  } finally {
    set(DEFERRED);
  }
}

function set(flags: readonly string[]): void {
  for (const flag of flags) engine?.setFlagsFromString(flag);
}
