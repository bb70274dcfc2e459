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
const USUAL = SETTINGS.map(([usual]) => usual).join(" ");
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
  set(USUAL);
  try {
    return load();
  } finally {
    set(DEFERRED);
  }
}

function set(flags: string): void {
  engine?.setFlagsFromString(flags);
}
