/**
 * A package.json for the checks with the old tests: its dependencies and entry points are part of the new code, its
 * scripts and the settings of tools decide the checks.
 */
import { isRecord } from "../../contract/values/is-record.ts";

const SETTINGS = [
  ..."jest vitest mocha ava tap nyc c8 xo eslintConfig eslintIgnore prettier stylelint babel browserslist".split(" "),
  ..."lint-staged husky simple-git-hooks knip wireit nx standard ts-standard size-limit playwright cypress".split(" "),
];

/** Null where the new text is no manifest, so that the old one is used whole. */
export function pinManifest(oldText: string | null, newText: string): string | null {
  const now = parse(newText);
  const old = oldText === null ? {} : parse(oldText);
  if (now === null || old === null) return null;
  const kept = Object.entries(now).filter(([name]) => !SETTINGS.includes(name));
  const settings = Object.entries(old).filter(([name]) => SETTINGS.includes(name));
  const scripts = { ...readScripts(now), ...readScripts(old) };
  return `${JSON.stringify({ ...Object.fromEntries([...kept, ...settings]), scripts }, null, 2)}\n`;
}

function readScripts({ scripts }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(scripts) ? scripts : {};
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
