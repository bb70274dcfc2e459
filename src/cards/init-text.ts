/** What `relais init` found, what it wrote, and what to type next. */
import type { Detection, Initialised, InitSurroundings } from "../records/initialised.ts";
import { countNoun } from "../base/count-noun.ts";
import {
  type Canvas,
  type Fact,
  measureWidth,
  type NextStep,
  renderFacts,
  renderPairs,
  renderSteps,
} from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";
import { wrapText } from "../base/wrap-text.ts";

interface InitTextOptions extends Canvas {
  /** Whether every file is listed, however many share a folder. */
  readonly isDetailed: boolean;
  readonly next: readonly NextStep[];
  /** Whether a commit was asked for. */
  readonly isCommitWanted: boolean;
}

export function renderInit(outcome: Initialised, options: InitTextOptions): string {
  return `${renderInitFindings(outcome, options)}\n${renderInitEnd(outcome, options)}`;
}

/** What was found, chosen and written. */
export function renderInitFindings(
  { workspace, detection, files, surroundings }: Initialised,
  options: Omit<InitTextOptions, "next" | "isCommitWanted">,
): string {
  const listed = (state: "written" | "kept") =>
    renderFiles(
      files.filter((file) => file.state === state).map(({ path }) => path),
      workspace,
      options,
    );
  return joinSections(
    [
      ["Found:", ...renderFound(detection, surroundings, options)],
      ...(detection === null ? [] : renderChoices(detection, surroundings, options)),
      renderTitled("Wrote:", listed("written")),
      renderTitled("Unchanged:", listed("kept")),
    ],
    options,
  );
}

/** The commit, what is missing, and what to do. */
export function renderInitEnd({ commit, missing }: Initialised, options: InitTextOptions): string {
  const next = options.next.map(({ command, explains }) => ({ command: neutralise(command), explains }));
  return joinSections(
    [
      renderTitled("Committed:", indentLines(describeCommit(commit, options), options)),
      renderTitled("Missing:", indentLines(missing, options)),
      renderTitled("Next:", renderSteps(next, options)),
    ],
    options,
  );
}

function joinSections(sections: readonly (readonly string[])[], { style }: Canvas): string {
  return `${sections
    .filter((lines) => lines.length > 0)
    .map(([title = "", ...lines]) => [style("strong", title), ...lines].join("\n"))
    .join("\n\n")}\n`;
}

function describeCommit(commit: Initialised["commit"], { isCommitWanted }: InitTextOptions): readonly string[] {
  if (commit?.kind === "committed") return [commit.commit];
  const isAll = isCommitWanted && commit === null;
  return isAll ? ["nothing: these files are committed already"] : [];
}

function renderFound(
  detection: Detection | null,
  { branch, isProtected, agents }: InitSurroundings,
  canvas: Canvas,
): readonly string[] {
  const where =
    branch === null
      ? "none: HEAD is detached"
      : `${branch}${isProtected ? " (protected: relais commits on its own branch)" : ""}`;
  const there = agents.filter(({ file }) => file !== null).map(({ program }) => program);
  const absent = agents.filter(({ file }) => file === null).map(({ program }) => program);
  const both = [there.join(", "), absent.length === 0 ? "" : `no ${absent.join(", no ")} on the PATH`];
  const { languages, found } = detection ?? { languages: [], found: [] };
  const facts: readonly Fact[] = [
    ["language", neutralise(languages.join(", ")) || null],
    ...found.map((line): Fact => ["checks in", neutralise(line)]),
    ["branch", neutralise(where)],
    ["agents", neutralise(both.filter((text) => text !== "").join("; ")) || null],
  ];
  return renderFacts(facts, canvas);
}

const FENCED = "all other changes are reverted (scope.default_allowed_globs)";
const UNFENCED =
  "everything except secrets, dependencies and the files of agents and CI; set scope.default_allowed_globs";
const NO_AGENT = "none found; install Claude Code or Codex and log in";
const DRIVERS: Readonly<Record<string, string>> = { claude_code: "Claude Code", codex: "Codex" };

/** Each choice that was made, with what it means and the key that holds it. */
function renderChoices(
  { templates, allowedGlobs }: Detection,
  { builder, canBuild }: InitSurroundings,
  canvas: Canvas,
): readonly (readonly string[])[] {
  const checks = templates.map(({ id, cmd, args }) => [neutralise(id), neutralise([cmd, ...args].join(" "))] as const);
  const none = "none; add some to verification.templates: without a check, relais cannot tell whether a change works";
  return [
    [
      "Checks:",
      ...(checks.length === 0
        ? indentLines([none], canvas)
        : [
            ...renderPairs(checks, canvas),
            ...renderFaint("relais keeps a change only if these pass (verification.templates)", canvas),
          ]),
    ],
    [
      "A builder may change:",
      ...indentLines(allowedGlobs, canvas),
      ...renderFaint(allowedGlobs.includes("**") ? UNFENCED : FENCED, canvas),
    ],
    [
      "The builder:",
      ...indentLines([canBuild ? (DRIVERS[builder] ?? builder) : NO_AGENT], canvas),
      ...renderFaint("for another agent or program, set builder.default_mode", canvas),
    ],
  ];
}

function renderFaint(text: string, canvas: Canvas): readonly string[] {
  return wrapText(text, measureWidth(canvas) - 4).map((line) => `    ${canvas.style("faint", line)}`);
}

/** A folder of the workspace counts as one line where it has more than two files. */
function renderFiles(
  paths: readonly string[],
  workspace: string,
  options: Pick<InitTextOptions, "isDetailed" | keyof Canvas>,
): readonly string[] {
  if (options.isDetailed) return indentLines(paths, options);
  const folderOf = (path: string) => /^(?<folder>[^/]+\/)./.exec(path.slice(workspace.length + 1))?.groups?.["folder"];
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const folder = path.startsWith(`${workspace}/`) ? folderOf(path) : undefined;
    const key = folder === undefined ? path : `${workspace}/${folder}`;
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  return [...groups].flatMap(([key, members]) =>
    indentLines(members.length > 2 ? [`${key} (${countNoun(members.length, "file")})`] : members, options),
  );
}

function renderTitled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function indentLines(texts: readonly string[], canvas: Canvas): readonly string[] {
  return texts.flatMap((text) => wrapText(neutralise(text), measureWidth(canvas) - 2)).map((line) => `  ${line}`);
}
