import type { ProjectFacts } from "./check-sources.ts";

/** A language, and the names of files at the root that only its projects have. */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  ["TypeScript", /^tsconfig(?:\..+)?\.json$|\.tsx?$/],
  ["JavaScript", /^package\.json$|\.[cm]?jsx?$/],
  ["Python", /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt|Pipfile|tox\.ini)$|\.py$/],
  ["Rust", /^Cargo\.toml$/],
  ["Go", /^go\.mod$|\.go$/],
  ["Ruby", /^Gemfile$|\.gemspec$/],
  ["Java", /^pom\.xml$|^build\.gradle$/],
  ["Kotlin", /^build\.gradle\.kts$/],
  ["PHP", /^composer\.json$/],
  ["C#", /\.(?:csproj|sln)$/],
  ["Swift", /^Package\.swift$/],
  ["Elixir", /^mix\.exs$/],
];

/** The languages that the names at the root and among the tests speak for; TypeScript stands for JavaScript too. */
export function listLanguages({ files, testFiles }: ProjectFacts): readonly string[] {
  const names = [...files, ...testFiles].map((path) => path.slice(path.lastIndexOf("/") + 1));
  const found = SIGNS.filter(([, sign]) => names.some((name) => sign.test(name))).map(([language]) => language);
  return found.includes("TypeScript") ? found.filter((language) => language !== "JavaScript") : found;
}
