/**
 * Manifests for the checks with the old tests, of which a part belongs to the new code. In a package.json these are its
 * dependencies and entry points; its scripts and the settings of tools decide the checks. A tsconfig.json may name more
 * files than before, but none less.
 */
import { isRecord } from "../../base/quantity.ts";

const SETTINGS = [
  ..."jest vitest mocha ava tap nyc c8 xo eslintConfig eslintIgnore prettier stylelint babel browserslist".split(" "),
  ..."lint-staged husky simple-git-hooks knip wireit nx standard ts-standard size-limit playwright cypress".split(" "),
];

const MANIFEST = /(?:^|\/)(?:package|(?<project>tsconfig[\w.-]*))\.json$/u;

export function isPinnedInParts(path: string): boolean {
  return MANIFEST.test(path);
}

/** Null where the new text is no manifest, so that the old one is used whole. */
export function pinManifest(path: string, oldText: string | null, newText: string): string | null {
  const isProject = MANIFEST.exec(path)?.groups?.["project"] !== undefined;
  return isProject ? pinProject(oldText, newText) : pinPackage(oldText, newText);
}

function pinProject(oldText: string | null, newText: string): string | null {
  const [old, now] = [oldText === null ? null : parse(oldText), parse(newText)];
  if (old === null || now === null) return null;
  const lists = ["include", "files"].flatMap((name) => {
    const [was, is] = [old[name], now[name]];
    if (!Array.isArray(was) || !Array.isArray(is)) return [];
    // The new code may add names of files, and nothing else.
    const names = is.filter((one) => typeof one === "string");
    return [[name, [...new Set<unknown>([...was, ...names])]]];
  });
  return `${JSON.stringify({ ...old, ...Object.fromEntries(lists) }, null, 2)}\n`;
}

function pinPackage(oldText: string | null, newText: string): string | null {
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
