import type { SourceMap, SourceMapPayload } from "node:module";
import { InvariantError } from "./base/errors.ts";
import { asksForJson } from "./main.ts";
import { readNow } from "./system/read-files.ts";
import type { Terminal } from "./terminal-session.ts";

const INTERNAL_STATUS = 1;

/** Prints an unexpected error with a trace that names the sources; returns the exit status. */
export function reportBug(
  error: unknown,
  args: readonly string[] /** Holds the files that are running, each with its source map. */,
  folder: string,
  terminal: Terminal,
): number {
  const raw = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const trace = shortenTrace(raw, folder);
  const kind = error instanceof InvariantError ? "a bug in relais" : "an unexpected failure";
  if (asksForJson(args)) terminal.out(`${JSON.stringify({ error: "internal", message: `${kind}: ${trace}` })}\n`);
  terminal.err(`relais: ${kind}. Please report it together with these lines:\n${trace}\n`);
  return INTERNAL_STATUS;
}

const MAP_BYTES_MAX = 32 * 1024 * 1024;
const PLACE = /^(?<file>[\w/.-]+\.cjs):(?<line>\d+):(?<column>\d+)/;

/**
 * The trace of an error with source lines instead of those of the built files, which all lie in one folder.
 *
 * A map is read only here: enabled in Node it would slow down every start. Without a map, or with one that
 * is not valid, the trace stays as it is.
 */
function shortenTrace(trace: string, folder: string): string {
  const maps = new Map<string, SourceMap | null>();
  const findMap = (file: string): SourceMap | null => {
    const map = maps.get(file) ?? readMap(`${folder}/${file}.map`);
    maps.set(file, map);
    return map;
  };
  const [first = "", ...parts] = trace.split(`${folder}/`);
  return [first, ...parts.map((part) => nameSource(part, findMap) ?? `${folder}/${part}`)].join("");
}

function readMap(path: string): SourceMap | null {
  try {
    const text = readNow(path, { bytesMax: MAP_BYTES_MAX });
    if (text === null) return null;
    const payload: SourceMapPayload = JSON.parse(text.toString("utf8"));
    return new (process.getBuiltinModule("node:module").SourceMap)(payload);
  } catch {
    return null;
  }
}

/** The rest of a trace after the folder; null where its place is in no source. */
function nameSource(part: string, findMap: (file: string) => SourceMap | null): string | null {
  const [place = "", file, line, column] = PLACE.exec(part) ?? [];
  if (file === undefined) return null;
  const entry = findMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry === undefined || !("originalSource" in entry)) return null;
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, "");
  return `${source}:${entry.originalLine + 1}${part.slice(place.length)}`;
}
