/** Settings that make tools say less: disabled rules, lowered thresholds, and new entries in lists of exceptions. */
import type { ChangedFile, Occurrence } from "./changed-file.ts";
import { readLine } from "./changed-file.ts";
import type { ScannedSource } from "../../base/scan-source.ts";

const SETTINGS_FILES =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|codecov\.ya?ml|\.codecov\.ya?ml|sonar-project\.properties|\.shellcheckrc|\.?ruff\.toml)$/iu;

/** Settings in any language: a linter may be set up by a module. */
export function hasToolSettings({ path, role }: Pick<ChangedFile, "path" | "role">): boolean {
  return role === "settings" || SETTINGS_FILES.test(path);
}

const OFF_BY_NAME =
  /["']?\b(?:strict\w*|noImplicit\w+|noUnused\w+|noUnchecked\w+|noFallthrough\w+|noProperty\w+|exactOptional\w+|alwaysStrict|useUnknownInCatchVariables|checkJs|disallow_\w+|check_untyped_defs|warn_\w+|no_implicit_\w+|strict_\w+|report[A-Z]\w+)["']?\s*[:=]\s*["']?(?:false|none|off)\b/giu;
const ON_BY_NAME =
  /["']?\b(?:ignore_errors|ignore_missing_imports|allow_untyped_\w+|allow_any_\w+|bail_on_empty)["']?\s*[:=]\s*["']?true\b|\btypeCheckingMode["']?\s*[:=]\s*["'](?:off|basic)/giu;
const OFF_IN_LINTERS = /["']?[\w@/-]+["']?\s*[:=]\s*\[?\s*(?:["'](?:off|allow)["']|0(?=\s*[,}\n\]]))/giu;
const NO_TESTS =
  /\bpassWithNoTests["']?\s*:\s*true|\b(?:include|testMatch|testRegex|testpaths|python_files)["']?\s*[:=]\s*(?:\[\s*\]|["']["'])/gu;
const LINTERS = /eslint|oxlint|stylelint|biome|tslint|markdownlint|rubocop|golangci|commitlint|clippy|detekt/iu;
const FEWER_TESTS =
  /--(?:ignore|deselect|ignore-glob|exclude-task)[= ]|(?<=\s|["'])-[km]\s+\\?["']?not\b|--testPathIgnorePatterns\b|--no-(?:strict|verify|error-on-unmatched-pattern)\b/gu;

export function listDisabledRules(source: ScannedSource, file: ChangedFile): readonly Occurrence[] {
  if (!hasToolSettings(file)) return [];
  const patterns = [
    OFF_BY_NAME,
    ON_BY_NAME,
    FEWER_TESTS,
    NO_TESTS,
    ...(LINTERS.test(file.path) ? [OFF_IN_LINTERS] : []),
  ];
  return patterns.flatMap((pattern) => listInCode(source, pattern, "disabled_rule"));
}

function listInCode(source: ScannedSource, pattern: RegExp, kind: Occurrence["kind"]): readonly Occurrence[] {
  return [...source.text.matchAll(pattern)].flatMap(({ index }) =>
    source.comments.charAt(index).trim() === "" ? [{ kind, at: index, text: readLine(source.text, index) }] : [],
  );
}

const FLOORS =
  /["']?\b(?<name>branches|functions|lines|statements|fail[_-]under|cov-fail-under|minimum_coverage|min_?coverage|check-coverage|coverageThreshold|mutation(?:Score)?|break)["']?\s*[:= ]\s*["']?(?<value>\d+(?:\.\d+)?)/giu;
const CEILINGS =
  /["']?\b(?<name>max-warnings|max[_-]complexity|max[_-]line[_-]length|max[_-]args|max[_-]branches|max[_-]statements|retries|reruns)["']?\s*[:= ]\s*["']?(?<value>\d+(?:\.\d+)?)/giu;
const STRICT = /["']?\b(?<name>strict)["']?\s*[:=]\s*["']?(?<value>true)\b/giu;

/** Compared number by number, in their order. A floor that is gone is lowered, a new ceiling is none. */
export function listLoweredThresholds({ before, after, ...file }: ChangedFile): readonly Occurrence[] {
  if (before === null || after === null || !hasToolSettings({ ...file })) return [];
  return [
    ...comparePairs(before, after, { pattern: FLOORS, isWorse: (was, is) => is < was }),
    ...comparePairs(before, after, { pattern: CEILINGS, isWorse: (was, is) => is > was }),
    ...listGone(before, after, FLOORS),
    ...listGone(before, after, STRICT),
  ];
}

interface Comparison {
  readonly pattern: RegExp;
  readonly isWorse: (was: number, is: number) => boolean;
}

interface Setting {
  readonly value: number;
  readonly at: number;
}

function comparePairs(
  before: ScannedSource,
  after: ScannedSource,
  { pattern, isWorse }: Comparison,
): readonly Occurrence[] {
  const [was, is] = [groupSettings(before, pattern), groupSettings(after, pattern)];
  return [...is].flatMap(([name, settings]) => {
    const earlier = was.get(name) ?? [];
    if (earlier.length !== settings.length) return [];
    return settings.flatMap(({ value, at }, place) =>
      isWorse(earlier[place]?.value ?? value, value)
        ? [{ kind: "lowered_threshold" as const, at, text: readLine(after.text, at) }]
        : [],
    );
  });
}

/** A setting that is nowhere any more has no line; the first one of the file stands for it. */
function listGone(before: ScannedSource, after: ScannedSource, pattern: RegExp): readonly Occurrence[] {
  const [was, is] = [groupSettings(before, pattern), groupSettings(after, pattern)];
  return [...was.keys()]
    .filter((name) => !is.has(name))
    .map((name) => ({ kind: "lowered_threshold" as const, at: 0, text: `${name} is gone` }));
}

function groupSettings(source: ScannedSource, pattern: RegExp): ReadonlyMap<string, readonly Setting[]> {
  const groups = new Map<string, Setting[]>();
  for (const { index: at, groups: found } of source.text.matchAll(pattern)) {
    const [name, value] = [found?.["name"]?.toLowerCase() ?? "", Number(found?.["value"] ?? 0)];
    if (source.comments.charAt(at).trim() !== "") continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [{ value, at }]);
    else group.push({ value, at });
  }
  return groups;
}
