import { isRecord } from "../../base/is-record.ts";

/** One document over another: objects are joined key by key, everything else is replaced, `undefined` removes a key. */
export function layOver(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      if (!Object.hasOwn(over, name)) return [[name, base[name]] as const];
      return over[name] === undefined ? [] : [[name, layOver(base[name], over[name])] as const];
    }),
  );
}
