import { CODES, isCode, SERIES_ENDS, type SeriesEnd } from "../base/codes.ts";
import { findNearestName } from "../base/nearest-name.ts";
import { renderCode, renderCodeList } from "../cards/code-text.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";

/** `relais explain [CODE]`. */
export const runExplain: RunCommand = ({ positionals: [asked] }, { json, prose, out }) => {
  const say = (document: object, text: string) => {
    out(json ? `${JSON.stringify(document)}\n` : text);
    return Promise.resolve({ kind: "ended", status: 0 } as const);
  };
  if (asked === undefined) return say({ codes: CODES, series_ends: SERIES_ENDS }, renderCodeList(prose));
  const name = asked.trim();
  const code = name.toUpperCase();
  if (isCode(code)) return say({ code, ...CODES[code] }, renderCode(code, prose));
  const end = name.toLowerCase();
  if (isSeriesEnd(end)) return say({ series_end: end, ...SERIES_ENDS[end] }, renderCode(end, prose));
  const nearest = findNearestName(name, [...Object.keys(CODES), ...Object.keys(SERIES_ENDS)]);
  const message = `there is no code "${name}"${nearest === null ? "" : `; did you mean ${nearest}?`}`;
  return Promise.resolve(refuseMisuse(message));
};

function isSeriesEnd(name: string): name is SeriesEnd {
  return Object.hasOwn(SERIES_ENDS, name);
}
