/** What `relais init` found, what it wrote, and what to type next. */
import type { Detection } from "../core/project-detection.ts";
import { neutralise } from "./neutralise.ts";
import type { Style } from "./style.ts";

interface InitReport {
  readonly workspace: string;
  readonly detection: Detection | null;
  readonly files: readonly { readonly path: string; readonly state: "written" | "kept" }[];
  /** The commit that was made of what was written, if one was. */
  readonly commit: string | null;
  /** What to type next, each line with its reason. */
  readonly next: readonly (readonly [string, string])[];
}

interface InitTextOptions {
  readonly style: Style;
  /** Whether every file is listed, however many share a folder. */
  readonly isDetailed: boolean;
}

/** The whole answer of a successful `relais init`. */
export function initText(
  { workspace, detection, files, commit, next }: InitReport,
  options: InitTextOptions,
): string {
  const listed = (state: "written" | "kept") =>
    fileLines(
      files.filter((file) => file.state === state).map(({ path }) => path),
      { workspace, isDetailed: options.isDetailed },
    );
  const sections = [
    ...(detection === null ? [] : detectionSections(detection)),
    titled("Wrote:", listed("written")),
    titled("Kept as they are:", listed("kept")),
    titled("Committed:", commit === null ? [] : indented([commit])),
    titled("Next:", columns(next)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map(([title = "", ...lines]) => [options.style("strong", title), ...lines].join("\n"))
    .join("\n\n")}\n`;
}

function detectionSections({ found, templates, allowedGlobs }: Detection): readonly (readonly string[])[] {
  const checks = templates.map(({ id, cmd, args }) => [id, [cmd, ...args].join(" ")] as const);
  const none = [
    "  none; add some under verification.templates, because without a check relais can tell",
    "  where a change was made and not whether it works",
  ];
  return [
    titled("Found:", indented(found)),
    ["Checks:", ...(checks.length === 0 ? none : columns(checks))],
    titled("A builder may change:", indented(allowedGlobs)),
  ];
}

/** A folder of the workspace counts as one line where it has more than two files. */
function fileLines(
  paths: readonly string[],
  { workspace, isDetailed }: { readonly workspace: string; readonly isDetailed: boolean },
): readonly string[] {
  if (isDetailed) return indented(paths);
  const folderOf = (path: string) =>
    /^(?<folder>[^/]+\/)./.exec(path.slice(workspace.length + 1))?.groups?.["folder"];
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const folder = path.startsWith(`${workspace}/`) ? folderOf(path) : undefined;
    const key = folder === undefined ? path : `${workspace}/${folder}`;
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups].flatMap(([key, members]) =>
    members.length > 2 ? [`  ${neutralise(key)} (${members.length} files)`] : indented(members),
  );
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${neutralise(line)}`);
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${neutralise(left).padEnd(width)}  ${neutralise(right)}`);
}
