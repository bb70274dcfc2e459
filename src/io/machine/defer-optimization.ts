/**
 * V8 optimizes functions early, on another thread, for processes that run for long. A tick or a judgement is over before
 * that pays, so a function must run longer here before it is optimized. In long work the hot ones are optimized all the same.
 *
 * V8 reads compiled code, ours and that of Node itself, only with the settings that it was written with. So the usual
 * ones are in force while something is loaded, and when compiled code is written.
 */
interface Engine {
  readonly setFlagsFromString: (flags: string) => void;
}

/** In bytes of bytecode that a function runs. Only this V8 was measured; later ones count calls instead. */
const BUDGETS = { v8: "11.3.", usual: 67_584, deferred: 2_000_000 } as const;

let engine: Engine | null = null;

/** The module takes some time to load, less after others that a command needs in order to start programs. */
export function deferOptimization(): void {
  if (engine !== null || !process.versions.v8.startsWith(BUDGETS.v8)) return;
  engine = process.getBuiltinModule("node:v8");
  setBudget(BUDGETS.deferred);
}

export function withUsualSettings<T>(load: () => T): T {
  if (engine === null) return load();
  setBudget(BUDGETS.usual);
  try {
    return load();
  } finally {
    setBudget(BUDGETS.deferred);
  }
}

function setBudget(bytes: number): void {
  engine?.setFlagsFromString(`--interrupt-budget=${bytes}`);
}
