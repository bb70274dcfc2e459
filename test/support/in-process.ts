import { main } from "../../src/cli/main.ts";
import { environmentOf, executable, type Ran, type RunOptions, withoutIds } from "./relais.ts";

/**
 * Runs relais in this process and answers as `relais` of `relais.ts` does, which it can stand in for wherever the process
 * itself is not what is tested: starting one costs more than most commands. Sessions are processes of their own anyway.
 */
export async function relais(args: readonly string[], options: Omit<RunOptions, "uid">): Promise<Ran> {
  const printed = { out: "", err: "" };
  const decoder = new TextDecoder();
  const status = await main(args, {
    cwd: options.cwd,
    out: (text) => void (printed.out += typeof text === "string" ? text : decoder.decode(text)),
    err: (text) => void (printed.err += text),
    isTerminal: false,
    env: environmentOf(options),
    relais: [process.execPath, executable],
    signal: new AbortController().signal,
  });
  return { status, stdout: withoutIds(printed.out), stderr: withoutIds(printed.err) };
}
