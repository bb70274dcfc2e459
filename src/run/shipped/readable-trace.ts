import { SourceMap, type SourceMapPayload } from "node:module";
import { readNow } from "../../io/files/read-now.ts";

const MAP_BYTES_MAX = 32 * 1024 * 1024;

/**
 * The trace of an error with source lines instead of bundle lines.
 *
 * The map is read only here: enabled in Node it would slow down every start. Without a map, or with one that
 * is not valid, the trace stays as it is.
 */
export function shortenTrace(trace: string, executable: string): string {
  try {
    const map = readNow(`${executable}.map`, { bytesMax: MAP_BYTES_MAX });
    if (map === null) return trace;
    const payload: SourceMapPayload = JSON.parse(map.toString("utf8"));
    return mapToSources(trace, executable, new SourceMap(payload));
  } catch {
    return trace;
  }
}

function mapToSources(trace: string, executable: string, map: SourceMap): string {
  return trace
    .split(`${executable}:`)
    .map((part, index) => {
      const [place = "", line, column] = /^(\d+):(\d+)/.exec(part) ?? [];
      if (index === 0 || line === undefined) return index === 0 ? part : `${executable}:${part}`;
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!("originalSource" in entry)) return `${executable}:${part}`;
      const source = entry.originalSource.replace(/^(?:\.\.\/)+/, "");
      return `${source}:${entry.originalLine + 1}${part.slice(place.length)}`;
    })
    .join("");
}
