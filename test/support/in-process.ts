import { createRequire } from "node:module";
import { join } from "node:path";
import { inject } from "vitest";
import type { main as mainOfSources } from "../../src/main.ts";
import { environmentOf, executable, type Ran, type RunOptions, withoutIds } from "./relais.ts";

const { main }: { readonly main: typeof mainOfSources } = createRequire(import.meta.url)(
  join(inject("built"), "main.cjs"),
);

/**
 * Runs relais in this process and answers as `relais` of `relais.ts` does, which it can stand in for wherever the process
 * itself is not what is tested: starting one costs more than most commands. Sessions are processes of their own anyway.
 */
export async function relais(args: readonly string[], options: Omit<RunOptions, "uid">): Promise<Ran> {
  const { status, stdout, stderr } = await runInProcess(args, { cwd: options.cwd, env: environmentOf(options) });
  return { status, stdout: withoutIds(stdout), stderr: withoutIds(stderr) };
}

/** The same with this environment alone, and word for word. */
export async function runInProcess(args: readonly string[], { cwd, env = {} }: Omit<RunOptions, "uid">): Promise<Ran> {
  const printed = { out: "", err: "" };
  const decoder = new TextDecoder();
  const status = await main(args, {
    cwd,
    out: (text) => void (printed.out += typeof text === "string" ? text : decoder.decode(text)),
    err: (text) => void (printed.err += text),
    isTerminal: false,
    env,
    relais: [process.execPath, executable],
    signal: new AbortController().signal,
  });
  return { status, stdout: printed.out, stderr: printed.err };
}
