/**
 * Where the demonstration takes place: a folder of its own with a sample repository for each act, and the state of
 * relais.
 *
 * Home and state of every process lie in that folder, so nothing of the person's own is read or written. Relais is
 * always started as the executable that it is, the way a person would start it.
 */
import { join } from "node:path";
import type { DemoReading, DemoSample } from "../records/demo.ts";
import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { IGNORED_SAMPLES } from "../config/workspace-layout.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { takeFingerprint } from "../system/read-stable.ts";
import { type FreshFolder, openFreshFolder } from "../system/fresh-folder.ts";
import { runGit } from "../git/git.ts";
import { readNow } from "../system/read-files.ts";
import { supervise } from "../process/supervise.ts";

export interface DemoStageRequest {
  /** An empty or absent folder as an absolute path; null for a new one among the temporary files. */
  readonly into: string | null;
  readonly environment: Environment;
  readonly relais: readonly [node: string, executable: string];
  readonly signal: AbortSignal;
  readonly columns?: number;
}

interface FinishedRun {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Theatre {
  readonly kind: "ready";
  readonly folder: string;
  /** A program that starts relais with the state of this demonstration. */
  readonly wrapper: string;
  /** Makes the sample repository of an act, with its first commit. */
  readonly setStage: (sample: DemoSample) => Promise<DemoStage>;
}

export interface DemoStage {
  readonly root: string;
  readonly relais: (...args: string[]) => Promise<FinishedRun>;
  readonly git: (...args: string[]) => Promise<string>;
  readonly look: () => Promise<DemoReading>;
  readonly read: (path: string) => string | null;
  readonly changedBetween: (from: string, to: string) => Promise<readonly string[]>;
}

const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
const STDERR_BYTES_MAX = 64 * 1024;
const DEADLINE_MS = 120_000;

export async function openTheatre(
  request: DemoStageRequest,
): Promise<Theatre | Extract<FreshFolder, { kind: "refused" }>> {
  const folder = await openFreshFolder(request.into, "relais-demo-", request.environment);
  if (folder.kind === "refused") return folder;
  const [node] = request.relais;
  const text = (content: unknown): string => fillPlaces(content, { "{node}": node, "{folder}": folder.path });
  const command = request.relais.map(quoteForShell).join(" ");
  const state = quoteForShell(join(folder.path, "state"));
  await folder.write({
    relais: {
      text: `#!/bin/sh\n# relais with the state of this demonstration.\nXDG_STATE_HOME=${state} exec ${command} "$@"\n`,
      isProgram: true,
    },
  });
  return {
    kind: "ready",
    folder: folder.path,
    wrapper: join(folder.path, "relais"),
    setStage: async ({ repository, files, beside = {}, subject }) => {
      const own = Object.entries(files).map(([path, content]) => [`${repository}/${path}`, content] as const);
      const all = [...own, ...Object.entries(beside)];
      await folder.write(Object.fromEntries(all.map(([path, content]) => [path, { text: text(content) }])));
      const stage = openStage({ folder: folder.path, root: join(folder.path, repository) }, request);
      await makeRepository(stage, subject);
      return stage;
    },
  };
}

/** A text, its lines, or anything else as JSON, with the placeholders replaced. */
function fillPlaces(content: unknown, places: Readonly<Record<string, string>>): string {
  const fill = (value: unknown): unknown =>
    typeof value === "string"
      ? Object.entries(places).reduce((text, [name, place]) => text.replaceAll(name, place), value)
      : value;
  if (Array.isArray(content)) return content.map((line) => `${String(fill(line))}\n`).join("");
  return typeof content === "string"
    ? String(fill(content))
    : `${JSON.stringify(content, (_, value: unknown) => fill(value), 2)}\n`;
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function openStage(
  { folder, root }: { readonly folder: string; readonly root: string },
  { environment, relais: [node, executable], signal, columns }: DemoStageRequest,
): DemoStage {
  const home = join(folder, "home");
  const env = makeChildEnvironment(environment, [], {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(folder, "state"),
    ...(columns === undefined ? {} : { COLUMNS: String(columns) }),
  });
  const git = openGit(root, { environment, signal });
  return {
    root,
    look: () => observeStage(root, git),
    read: (path) => readNow(join(root, path), { bytesMax: OUTPUT_BYTES_MAX })?.toString("utf8") ?? null,
    git,
    changedBetween: async (from, to) =>
      splitList(await git("diff", "--name-only", "--no-renames", "-z", from, to, "--")),
    relais: async (...args) => {
      const end = await supervise({
        program: node,
        args: [executable, ...args],
        cwd: root,
        env,
        input: null,
        log: null,
        stdoutBytesMax: OUTPUT_BYTES_MAX,
        stderrBytesMax: STDERR_BYTES_MAX,
        deadlineMs: DEADLINE_MS,
        signal,
      });
      const [stdout, stderr] = [end.stdout.toString("utf8"), end.stderr.toString("utf8")];
      if (end.kind === "exited") return { status: end.status, signal: null, stdout, stderr };
      if (end.kind === "signalled") return { status: null, signal: end.signal, stdout, stderr };
      throw new MeasurementError(`relais ${args[0] ?? ""}`, `did not finish: ${end.kind}`);
    },
  };
}

async function makeRepository(stage: DemoStage, subject: string): Promise<void> {
  // Not a protected branch: there each commit would get its own branch.
  await stage.git("init", "--quiet", "--initial-branch=work");
  await stage.git("config", "user.name", "Demo");
  await stage.git("config", "user.email", "demo@example.invalid");
  await stage.git("add", "--all");
  await stage.git("commit", "--quiet", "--message", subject);
}

async function observeStage(root: string, git: DemoStage["git"]): Promise<DemoReading> {
  const status = await git("status", "--porcelain", "--untracked-files=all", "-z");
  return {
    head: (await git("rev-parse", "HEAD")).trim(),
    status: splitList(status),
    fingerprint: await takeFingerprint(root, isPublished),
  };
}

const PUBLISHED = new Set(IGNORED_SAMPLES.map((path) => path.split("/")[0] ?? path));

/** Whether relais writes this path at the end of each tick. */
function isPublished(path: string): boolean {
  const [folder, name] = path.split("/");
  return folder === "relais" && name !== undefined && PUBLISHED.has(name);
}

function splitList(text: string): readonly string[] {
  return text.split("\0").filter((entry) => entry !== "");
}

function openGit(root: string, sources: Pick<DemoStageRequest, "environment" | "signal">): DemoStage["git"] {
  return async (...args) => {
    const { stdout } = await runGit({
      ...sources,
      args,
      cwd: root,
      gitDir: join(root, ".git"),
      workTree: root,
      outputBytesMax: OUTPUT_BYTES_MAX,
    });
    return stdout.toString("utf8");
  };
}
