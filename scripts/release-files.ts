/** The files that carry the version, as they are in a release. */

const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Whether one version comes before another. */
export function isBefore(one: string, other: string): boolean {
  const [left = [], right = []] = [one, other].map((version) => version.split(".").map(Number));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

const UNRELEASED = "## Unreleased\n";

/** What was unreleased gets a heading of its own below an empty one. Throws where nothing was. */
export function releasedChangelog(text: string, version: string, date: string): string {
  const at = text.indexOf(UNRELEASED);
  if (at === -1) throw new Error("CHANGELOG.md has no section `## Unreleased`");
  const rest = text.slice(at + UNRELEASED.length);
  const [changes = ""] = rest.split(/^## /m);
  if (changes.trim() === "") throw new Error("CHANGELOG.md has nothing below `## Unreleased`");
  return `${text.slice(0, at)}${UNRELEASED}\n## ${version} - ${date}\n${rest}`;
}

/** package.json with another version, and otherwise the same to the byte. */
export function releasedPackage(text: string, version: string): string {
  return text.replace(/^( {2}"version": ")[^"]+/m, (_, key: string) => `${key}${version}`);
}

/** package-lock.json names the version of the package twice: at the top, and as that of the package without a path. */
export function releasedLock(text: string, version: string): string {
  const lock: { packages: Record<string, object> } = JSON.parse(text);
  const packages = { ...lock.packages, "": { ...lock.packages[""], version } };
  return `${JSON.stringify({ ...lock, version, packages }, null, 2)}\n`;
}
