import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { findGitProgram } from "../git/git-program.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { AcceptedRecord } from "../journal/pure/journal-runs.ts";
import { runEditor } from "../process/programs-of-the-person.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import type { OwnMessage } from "../records/decisions.ts";
import { readBounded } from "../system/bounded-file.ts";
import { isFile } from "../system/read-files.ts";
import { writeNow } from "../system/write-files.ts";
import { draftOwnMessage } from "../tick/commit-request.ts";
import { addTrailers } from "../tick/pure/commit-message.ts";
import type { WorkspaceRequest } from "../workspace/workspace.ts";

/** Opens files in the person's editor: those of a change, or the message of its commit. */

interface EditRequest {
  readonly root: string;
  /** From the root; those that do not exist any more are left out. */
  readonly paths: readonly string[];
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

const FILES_MAX = 50;

/** The person's editor; null if none is set. */
export function findEditor(environment: Environment): string | null {
  const command = environment["VISUAL"] ?? environment["EDITOR"] ?? "";
  return command.trim() === "" ? null : command;
}

/** Opens the files in the person's editor; false if that failed. */
export async function editFiles({ root, paths, environment, signal }: EditRequest): Promise<boolean> {
  const command = findEditor(environment);
  const files = paths.map((path) => join(root, path)).filter((path) => isFile(path));
  if (command === null || files.length === 0) return false;
  // Without the folders that an agent can write to, as for git.
  const path = findGitProgram(root, environment)?.path ?? "/usr/local/bin:/usr/bin:/bin";
  const own = { ...environment, PATH: path };
  return runEditor({ command, files: files.slice(0, FILES_MAX), cwd: root, environment: own, signal });
}

interface MessageRequest {
  readonly record: AcceptedRecord;
  /** Where the editor finds the draft. */
  readonly folder: string;
  readonly request: WorkspaceRequest & { readonly message?: OwnMessage };
}

const MESSAGE_BYTES_MAX = 64 * 1024;
const MESSAGE_FILE = "COMMIT_EDITMSG";

/** What the person wrote about the change, or a draft; with the trailers of relais. */
export async function writeOwnMessage(
  repository: Repository,
  { record: { runId, facts }, folder, request }: MessageRequest,
): Promise<string | Refusal> {
  const { message } = request;
  const { task } = facts;
  const draft = await draftOwnMessage(repository, facts);
  const own =
    message === undefined ? { text: draft } : "text" in message ? message : await editDraft(draft, folder, request);
  if (!("text" in own)) return own;
  if (own.text.trim() === "") {
    const next = 'Write one: `relais accept -m "what it does"`.';
    return refuse({ cause: "message_empty", runId, message: "The message is empty; nothing was committed.", next });
  }
  return addTrailers(own.text, { task, runId, code: "SUCCESS" });
}

/** As git does it: lines that begin with `#` are left out. */
async function editDraft(
  draft: string,
  folder: string,
  { environment, signal }: WorkspaceRequest,
): Promise<{ readonly text: string } | Refusal> {
  const path = join(folder, MESSAGE_FILE);
  writeNow(
    path,
    `${draft}\n\n# What stands here becomes the message. Lines that begin with # are left out, and an empty message commits nothing.\n`,
  );
  if (!(await editFiles({ root: folder, paths: [MESSAGE_FILE], environment, signal }))) {
    const next = 'Set VISUAL or EDITOR, or write it here: `relais accept -m "what it does"`.';
    return refuse({ cause: "editor_failed", message: "The editor failed; nothing was committed.", next });
  }
  const read = await readBounded(path, MESSAGE_BYTES_MAX);
  const lines = read.kind === "read" ? read.data.toString("utf8").split("\n") : [];
  return { text: lines.filter((line) => !line.startsWith("#")).join("\n") };
}
