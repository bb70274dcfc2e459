/**
 * Any program of your own as an agent: it reads its prompt or TASK.json and leaves a result.
 *
 * Mistakes in its configuration are found before it starts: an unknown placeholder, and an `output_file` that could not
 * be removed without harm.
 */
import * as v from "valibot";
import type { CommandProgram } from "../config/command-program.ts";
import { findNearestName } from "../base/nearest-name.ts";
import { toBytePath } from "../system/byte-path.ts";
import { findOpened } from "../system/left-file.ts";
import { accessRepository } from "../git/git.ts";
import type { Repository } from "../git/repository-layout.ts";
import { isTracked } from "../store/read-index.ts";
import type { Driver } from "./driver.ts";
import { runDropped, type SessionPlaces, composeWholePrompt } from "./dropped-session.ts";

const PLACEHOLDER = /\{\{(?<name>[^{}]*)\}\}/g;
const PlaceholderName = v.picklist([
  "task_path",
  "result_path",
  "schema_path",
  "run_id",
  "drop",
  "prompt_path",
  "role",
  "model",
  "tools",
]);

export function makeCommandDriver({ command, args, output_file: outputFile }: CommandProgram): Driver {
  return {
    name: "command",
    outputFile,
    runsSideBySide: false,
    run: (request) =>
      runDropped(request, {
        program: command,
        args: (places) => args.map((argument) => fillIn(argument, places)),
        input: composeWholePrompt(request),
        outputFile,
      }),
  };
}

/** In one pass, so that a path that looks like a placeholder is not taken for one. */
function fillIn(argument: string, places: SessionPlaces): string {
  return argument.replaceAll(PLACEHOLDER, (whole, name: string) =>
    v.is(PlaceholderName, name) ? places[name] : whole,
  );
}

interface CommandContext {
  readonly repository: Repository;
  /** `runner.runner_owned_globs`. */
  readonly ownedGlobs: readonly string[];
  /** The key of the configuration that holds the command. */
  readonly key: string;
}

/** Why the command cannot be used as it is configured, in one sentence; null where it can. */
export async function findCommandProblem(
  { args, output_file: outputFile }: CommandProgram,
  surroundings: CommandContext,
): Promise<string | null> {
  const placeholder = findPlaceholderProblem(args, surroundings.key);
  if (placeholder !== null || outputFile === null) return placeholder;
  const problem = findSpellingProblem(outputFile) ?? (await findOutputFileProblem(outputFile, surroundings));
  return problem === null ? null : `\`${surroundings.key}.output_file\` is "${outputFile}": ${problem}`;
}

function findPlaceholderProblem(args: readonly string[], key: string): string | null {
  for (const argument of args) {
    for (const { groups } of argument.matchAll(PLACEHOLDER)) {
      const name = groups?.["name"] ?? "";
      if (v.is(PlaceholderName, name)) continue;
      const known = PlaceholderName.options;
      const nearest = findNearestName(name, known);
      const hint =
        nearest === null
          ? `known are ${known.map(renderPlaceholder).join(", ")}`
          : `did you mean ${renderPlaceholder(nearest)}?`;
      return `\`${key}.args\` has the unknown placeholder ${renderPlaceholder(name)}; ${hint}`;
    }
  }
  return null;
}

const renderPlaceholder = (name: string) => `\`{{${name}}}\``;

const PART_OF_GIT = /^\.git$/i;

function findSpellingProblem(path: string): string | null {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === ".")) return "write it without `.`, `//` or a `/` at its end";
  return parts.some((part) => PART_OF_GIT.test(part)) ? "it lies in git's own data" : null;
}

async function findOutputFileProblem(path: string, { repository, ownedGlobs }: CommandContext): Promise<string | null> {
  if (ownedGlobs.some((glob) => isNamedBy(glob, path))) return "only relais itself writes there";
  const found = await findOpened({ root: repository.root, path });
  if (found.kind === "linked") return "a folder above it is a link, and links are not followed";
  if (found.kind === "entry" && found.stats.isDirectory()) return "it is a folder";
  if (await isTracked(accessRepository(repository), toBytePath(path)))
    return "it is tracked by git, and relais removes this file before each session";
  return null;
}

/** The two shapes of globs for files of relais: a file, or all of a folder. */
function isNamedBy(glob: string, path: string): boolean {
  return glob === path || (glob.endsWith("/**") && path.startsWith(glob.slice(0, -2)));
}
