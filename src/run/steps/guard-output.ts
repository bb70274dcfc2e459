/** Ignored build output that a test of the base loads is protected, unless a check builds it first. */
import type { Evidence } from "../../contract/evidence/evidence.ts";
import { escapeGlob } from "../../core/checks/check-steering.ts";
import { listOutputFolders } from "../../core/checks/output-folders.ts";
import { isOutputBuilt } from "../../core/checks/recipe-commands.ts";
import { compileForbidden } from "../../core/paths/globs.ts";
import { accessRepository, runGit } from "../../io/git/git.ts";
import type { TickSession } from "../session/tick-session.ts";

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Starts a program only where the work changed such output. */
export async function guardOutput(session: TickSession, evidence: Evidence, base: string): Promise<Evidence> {
  const { verification } = session.config;
  const folders = listOutputFolders(evidence.changes, evidence.rules.ignored_writable_globs);
  if (folders.size === 0 || isOutputBuilt(verification.templates, session.recipes)) return evidence;
  const isTest = compileForbidden(verification.oracle_globs);
  const loaded: string[] = [];
  for (const [name, paths] of folders) {
    const mentions = await listMentions(session, `${name}/`, base);
    if (mentions.some((path) => isTest(path) !== null)) loaded.push(...paths);
  }
  if (loaded.length === 0) return evidence;
  const guarded = [...(evidence.rules.ignored_guarded_globs ?? []), ...loaded.flatMap(escapeGlob)];
  return { ...evidence, rules: { ...evidence.rules, ignored_guarded_globs: guarded } };
}

/** The files of a commit that contain the text. */
async function listMentions({ repository, signal }: TickSession, text: string, commit: string) {
  const { stdout } = await runGit({
    ...accessRepository(repository, signal),
    args: ["grep", "--no-color", "-l", "-z", "-I", "-F", "-e", text, commit, "--"],
    okStatuses: [0, 1],
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  return stdout
    .toString("utf8")
    .split("\0")
    .map((line) => line.slice(commit.length + 1));
}
