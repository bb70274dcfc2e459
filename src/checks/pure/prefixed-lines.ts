/** Runners of several packages print the name of the package before each line, in any order. */

const PREFIXES: readonly RegExp[] = [
  // pnpm: `packages/a test: …`
  /^(\S{1,120} [\w:.-]{1,60}): ?(.*)$/,
  // turbo: `a:test: …`
  /^(\S{1,120}:[\w.-]{1,60}): ?(.*)$/,
  // yarn and concurrently: `[a]: …`, `[0] …`
  /^(\[[^\]\s]{1,120}\]):? ?(.*)$/,
];
/** Text before a colon can look like many packages. */
const PACKAGES_MAX = 1000;

/** The lines of each package, without their prefix: one entry for each way to read prefixes. */
export function splitPrefixed(lines: readonly string[]): readonly (readonly (readonly string[])[])[] {
  return PREFIXES.map((prefix) => {
    const packages = new Map<string, string[]>();
    for (const line of lines) {
      const [, name, rest = ""] = prefix.exec(line) ?? [];
      if (name === undefined) continue;
      const own = packages.get(name);
      if (own !== undefined) own.push(rest);
      else if (packages.size < PACKAGES_MAX) packages.set(name, [rest]);
    }
    return [...packages.values()];
  });
}
