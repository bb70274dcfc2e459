/** What `relais init` found, what it wrote, and what to type next. */
import { counted } from "../core/counted.ts";
import type { Detection } from "../core/project-detection.ts";
import { type Canvas, type NextStep, pairs, steps, widthOf } from "./canvas.ts";
import { neutralise } from "./neutralise.ts";
import { wrapText } from "./wrap-text.ts";

interface InitReport {
  readonly workspace: string;
  readonly detection: Detection | null;
  readonly files: readonly { readonly path: string; readonly state: "written" | "kept" }[];
  /** The commit that was made of what was written, if one was. */
  readonly commit: string | null;
  /** Programs that this machine lacks, one sentence each. */
  readonly missing: readonly string[];
  readonly next: readonly NextStep[];
}

interface InitTextOptions extends Canvas {
  /** Whether every file is listed, however many share a folder. */
  readonly isDetailed: boolean;
}

/** The whole answer of a successful `relais init`. */
export function initText(
  { workspace, detection, files, commit, missing, next }: InitReport,
  options: InitTextOptions,
): string {
  const listed = (state: "written" | "kept") =>
    fileLines(
      files.filter((file) => file.state === state).map(({ path }) => path),
      workspace,
      options,
    );
  const sections = [
    ...(detection === null ? [] : detectionSections(detection, options)),
    titled("Wrote:", listed("written")),
    titled("Kept as they are:", listed("kept")),
    titled("Committed:", commit === null ? [] : indented([commit], options)),
    titled("Still missing here:", indented(missing, options)),
    titled(
      "Next:",
      steps(
        next.map(({ command, explains }) => ({ command: neutralise(command), explains })),
        options,
      ),
    ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map(([title = "", ...lines]) => [options.style("strong", title), ...lines].join("\n"))
    .join("\n\n")}\n`;
}

function detectionSections(
  { found, templates, allowedGlobs }: Detection,
  canvas: Canvas,
): readonly (readonly string[])[] {
  const checks = templates.map(
    ({ id, cmd, args }) => [neutralise(id), neutralise([cmd, ...args].join(" "))] as const,
  );
  const none =
    "none; add some under verification.templates, because without a check relais can tell where a change was made and not whether it works";
  return [
    titled("Found:", indented(found, canvas)),
    ["Checks:", ...(checks.length === 0 ? indented([none], canvas) : pairs(checks, canvas))],
    titled("A builder may change:", indented(allowedGlobs, canvas)),
  ];
}

/** A folder of the workspace counts as one line where it has more than two files. */
function fileLines(paths: readonly string[], workspace: string, options: InitTextOptions): readonly string[] {
  if (options.isDetailed) return indented(paths, options);
  const folderOf = (path: string) =>
    /^(?<folder>[^/]+\/)./.exec(path.slice(workspace.length + 1))?.groups?.["folder"];
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const folder = path.startsWith(`${workspace}/`) ? folderOf(path) : undefined;
    const key = folder === undefined ? path : `${workspace}/${folder}`;
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups].flatMap(([key, members]) =>
    indented(members.length > 2 ? [`${key} (${counted(members.length, "file")})`] : members, options),
  );
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function indented(texts: readonly string[], canvas: Canvas): readonly string[] {
  return texts.flatMap((text) => wrapText(neutralise(text), widthOf(canvas) - 2)).map((line) => `  ${line}`);
}
