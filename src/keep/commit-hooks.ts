/**
 * Runs the hooks that may refuse a commit.
 *
 * What is committed is decided before: a hook gets a throw-away index and a throw-away copy of the message, and what it
 * does to them stays there. A hook that edits judged files makes the commit impossible, because nobody judged the edit.
 */
import { stripVTControlCharacters } from "node:util";
import { findPinnedHook, type PinnedHooks } from "../store/pin-hooks.ts";
import { supervise } from "../process/supervise.ts";
import type { Config } from "../config/config.ts";
import type { Repository } from "../git/repository-layout.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { nameTickMarker } from "../process/reap-session.ts";

export interface HookRun {
  readonly pinned: PinnedHooks;
  /** The environment of the checks. */
  readonly environment: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  /** Set in the hooks' environment, so that they can be found after a crash. */
  readonly marker: string;
}

interface HookSources {
  readonly repository: Repository;
  readonly config: Config;
  readonly pinned: PinnedHooks;
  readonly deadlineMs: number;
  readonly runId: string;
}

/** The hooks run like checks, and can be found after a crash by their marker. */
export function makeHookRun({ repository, config, pinned, deadlineMs, runId }: HookSources): HookRun {
  const environment = makeChildEnvironment(repository.environment, config.env.checks, {});
  return { pinned, environment, deadlineMs, marker: nameTickMarker(runId) };
}

export interface HookSituation {
  readonly run: HookRun;
  readonly root: string;
  readonly indexFile: string;
  readonly messageFile: string;
  readonly isAsJudged: () => boolean;
  readonly signal: AbortSignal | undefined;
}

export interface HookRefusal {
  readonly cause: string;
  readonly message: string;
}

const OUTPUT_BYTES_MAX = 64 * 1024;
const OUTPUT_CHARACTERS_MAX = 1_000;

export async function findHookRefusal(situation: HookSituation): Promise<HookRefusal | null> {
  const hooks = [
    { name: "pre-commit", args: [] },
    { name: "commit-msg", args: [situation.messageFile] },
  ] as const;
  for (const { name, args } of hooks) {
    const program = findPinnedHook(situation.run.pinned, name);
    if (program === null) continue;
    const said = await runHook(situation, program, args);
    if (said !== null) return { cause: `hook_${name}_failed`, message: said };
    if (!situation.isAsJudged()) {
      const message = `The ${name} hook edited judged files.`;
      return { cause: `hook_${name}_changed_files`, message };
    }
  }
  return null;
}

async function runHook(
  { run, root, indexFile, signal }: HookSituation,
  program: string,
  args: readonly string[],
): Promise<string | null> {
  const end = await supervise({
    program,
    args,
    cwd: root,
    env: { ...run.environment, GIT_INDEX_FILE: indexFile, GIT_EDITOR: ":", GIT_PREFIX: "" },
    input: null,
    deadlineMs: run.deadlineMs,
    marker: run.marker,
    log: null,
    stdoutBytesMax: OUTPUT_BYTES_MAX,
    stderrBytesMax: OUTPUT_BYTES_MAX,
    ...(signal === undefined ? {} : { signal }),
  });
  if (end.kind === "exited" && end.status === 0) return null;
  const output = Buffer.concat([end.stdout, end.stderr]).toString("utf8");
  const said = stripVTControlCharacters(output).trim().slice(0, OUTPUT_CHARACTERS_MAX);
  const how = end.kind === "exited" ? `ended with status ${end.status}` : `ended as ${end.kind}`;
  return said === "" ? `It ${how}.` : `It ${how}: ${said}`;
}
