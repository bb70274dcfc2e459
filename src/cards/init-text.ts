import type { Detection, Initialised, InitFacts, EjectedFile, ShippedFiles } from "../records/setup-answers.ts";
import { countNoun } from "../base/words.ts";
import {
  type Canvas,
  type Fact,
  measureWidth,
  type NextStep,
  renderFacts,
  renderPairs,
  renderSteps,
  makeStep,
} from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";
import { wrapText } from "../base/wrap-text.ts";
import type { DoctorCheck } from "../checks/pure/config-text.ts";

/** What `relais init` found, what it wrote, and what to type next. */

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
  { branch, isProtected, agents }: InitFacts,
  canvas: Canvas,
): readonly string[] {
  const where =
    branch === null
      ? "none: HEAD is detached"
      : `${branch}${isProtected ? " (protected: series commit on a branch of their own)" : ""}`;
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
  { builder, canBuild }: InitFacts,
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
            ...renderFaint(
              "relais keeps a change only if these pass; no plan leaves them out (verification.required)",
              canvas,
            ),
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

/** The answer of `relais doctor`: one line for each check, with the fix below each problem. */

interface DoctorTextOptions extends Canvas {
  /** Whether to show only problems. */
  readonly isQuiet: boolean;
}

export function renderDoctor(checks: readonly DoctorCheck[], options: DoctorTextOptions): string {
  const { isQuiet } = options;
  const shown = isQuiet ? checks.filter(({ status }) => status !== "ok") : checks;
  const width = Math.max(0, ...shown.map(({ subject }) => subject.length));
  const lines = shown.flatMap((check) => renderCheck(check, width, options));
  const summary = isQuiet && shown.length === 0 ? [] : [...(shown.length === 0 ? [] : [""]), summarise(checks)];
  return [...lines, ...summary].map((line) => `${line}\n`).join("");
}

const TONES = { ok: "good", warn: "strong", fail: "bad" } as const;
const STATUS_WIDTH = "fail".length + 2;
/** With less room than this beside the subject, the message stands below it. */
const ROOM_MIN = 36;

function renderCheck(
  { status, subject, message, problems, fix }: DoctorCheck,
  width: number,
  canvas: Canvas,
): readonly string[] {
  const isBeside = measureWidth(canvas) - STATUS_WIDTH - width - 2 >= ROOM_MIN;
  const margin = " ".repeat(STATUS_WIDTH + (isBeside ? width + 2 : 0));
  const room = measureWidth(canvas) - margin.length;
  const head = `${canvas.style(TONES[status], status.padEnd(STATUS_WIDTH - 2))}  ${subject.padEnd(isBeside ? width : 0)}`;
  const below = [
    ...problems.flatMap((problem) => hangLines(`- ${neutralise(problem)}`, room)),
    ...(fix === null ? [] : hangLines(`Fix: ${neutralise(fix)}`, room)),
  ].map((line) => `${margin}${line}`);
  const [first = "", ...rest] = wrapText(neutralise(message), room);
  const more = rest.map((line) => `${margin}${line}`);
  return isBeside ? [`${head}  ${first}`, ...more, ...below] : [head, `${margin}${first}`, ...more, ...below];
}

/** Further lines a little further in, so that one sees where the next point begins. */
function hangLines(text: string, room: number): readonly string[] {
  return wrapText(text, room - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}

function summarise(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter(({ status }) => status === "fail").length;
  const warned = checks.filter(({ status }) => status === "warn").length;
  const warnings = warned === 0 ? "" : `, ${countNoun(warned, "warning")}`;
  return failed === 0 ? `Ready${warnings}.` : `${countNoun(failed, "problem")}${warnings}.`;
}

/** What was written, and what to do with it. */
export function renderEjected({ path, files }: EjectedFile, canvas: Canvas): string {
  const { style } = canvas;
  const lines = files.map(({ path: file, state }) =>
    state === "written"
      ? `  ${style("good", "+")} ${neutralise(file)}`
      : `  ${style("faint", "=")} ${neutralise(file)} (unchanged)`,
  );
  const steps = [makeStep("relais init --commit", `commit it, after you edit ${neutralise(path)}`)];
  return `${[...lines, "", style("strong", "Next:"), ...renderSteps(steps, canvas)].join("\n")}\n`;
}

/** All names, with the files that count instead of the package's. */
export function renderShippedFiles({ files }: ShippedFiles, canvas: Canvas): string {
  const rows = files.map(({ name, path, isEjected }) => [name, isEjected ? neutralise(path) : "not written"] as const);
  const step = makeStep("relais eject NAME", "write one of them into the workspace");
  return `${[...renderPairs(rows, canvas), "", ...renderSteps([step], canvas)].join("\n")}\n`;
}
