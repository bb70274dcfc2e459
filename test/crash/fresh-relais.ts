/**
 * relais as new as a process makes it, without one: each call evaluates the whole command line again, so nothing that one
 * remembers (what it wrote, what it read) is known to the next. Only the compiled code stays.
 */
import * as asyncHooks from "node:async_hooks";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";
import type { main as mainOfSources } from "../../src/main.ts";
import type { RunRelais } from "./site.ts";

interface Library {
  readonly main: typeof mainOfSources;
}

/** `library` is made by scripts/build-library.mjs; the executable is for the processes that relais starts of itself. */
export function openFreshRelais(library: string, executable: string): RunRelais {
  const evaluate = compile(library);
  return async (args, { cwd, env }) => {
    const said = { stdout: "", stderr: "" };
    const decoder = new TextDecoder();
    const { relais, forget } = evaluate();
    const status = await relais.main(args, {
      cwd,
      out: (text) => void (said.stdout += typeof text === "string" ? text : decoder.decode(text)),
      err: (text) => void (said.stderr += text),
      isTerminal: false,
      env,
      relais: [process.execPath, executable],
      signal: new AbortController().signal,
    });
    forget();
    return { pid: undefined, status, signal: null, ...said };
  };
}

interface Evaluated {
  readonly relais: Library;
  /** Otherwise Node keeps what is stored for a chain of calls and the loader of compiled parts, and each keeps its relais. */
  readonly forget: () => void;
}

function compile(library: string): () => Evaluated {
  const text = `(function (require, module, __filename, __dirname) {${readFileSync(library, "utf8")}\n})`;
  const script = new Script(text, { filename: library });
  const ownRequire = createRequire(library);
  const { extensions: loaders } = ownRequire;
  return () => {
    const stores: asyncHooks.AsyncLocalStorage<unknown>[] = [];
    class Store<T> extends asyncHooks.AsyncLocalStorage<T> {
      constructor() {
        super();
        stores.push(this);
      }
    }
    const require = (name: string): unknown =>
      /^(?:node:)?async_hooks$/.test(name) ? { ...asyncHooks, AsyncLocalStorage: Store } : ownRequire(name);
    const { ".cjs": loader } = loaders;
    const module: { exports: Library | null } = { exports: null };
    script.runInThisContext()(require, module, library, dirname(library));
    if (module.exports === null) throw new Error(`${library} exports nothing`);
    const forget = (): void => {
      for (const store of stores) store.disable();
      loaders[".cjs"] = loader;
    };
    return { relais: module.exports, forget };
  };
}
