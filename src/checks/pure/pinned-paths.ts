/**
 * What checks must not take from the builder: the files that decide whether they pass, and what git ignores. The first
 * are reverted for a second run, so that a builder cannot pass by changing its own tests; the others for every run,
 * because checks judge what would be committed.
 */
import type { Change, Evidence } from "../../records/evidence.ts";
import { compileAllowed, compileForbidden } from "../../base/globs.ts";
import { installsDependencies, isDependency } from "../../records/dependencies.ts";
import { listScriptFolders } from "./check-steering.ts";
import { listDecidingGlobs, type OracleSettings } from "./touched-oracle.ts";

interface PinnedPaths {
  /** Tests, and what steers the checks. */
  readonly oracle: readonly Change[];
  /** Whatever git ignores, but for dependencies that the change installs. */
  readonly ignored: readonly Change[];
}

interface PinSettings extends Omit<OracleSettings, "runByGit" | "oracle"> {
  /** The globs where a person's task wants other tests. */
  readonly wanted: readonly string[];
}

export function listPinnedPaths({ changes, rules }: Evidence, settings: PinSettings): PinnedPaths {
  const folders = settings.templates.flatMap((template) => listScriptFolders(template, settings.recipes));
  const decides = compileForbidden([...listDecidingGlobs(settings), ...folders]);
  const isWanted = compileAllowed(settings.wanted);
  const files = changes.filter(({ before, after }) => isFile(before) || isFile(after));
  const installs = installsDependencies(changes, rules);
  return {
    oracle: files.filter(
      ({ path, standing }) =>
        standing !== "ignored" &&
        decides(path) !== null &&
        isWanted(path) === null &&
        !(installs && namesDependencies(path)),
    ),
    ignored: files.filter((change) => change.standing === "ignored" && !(installs && isDependency(change))),
  };
}

/** A package.json is pinned in parts. */
function namesDependencies(path: string): boolean {
  return /(?:^|\/)(?:Cargo\.toml|go\.(?:mod|work)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|composer\.json|Gemfile|pom\.xml|build\.gradle(?:\.kts)?)$/u.test(
    path,
  );
}

function isFile(side: Change["before"]): boolean {
  return side?.type === "file" || side?.type === "symlink";
}
