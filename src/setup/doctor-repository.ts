import { join } from "node:path";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/doctor-check.ts";
import { IGNORED_SAMPLES } from "../config/workspace-layout.ts";
import { readBounded } from "../system/bounded-file.ts";
import { commitIdentity } from "../store/commit-identity.ts";
import { readHead } from "../git/read-head.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findWorkspaceProblem, WORKSPACE_MISSING } from "../journal/workspace-folder.ts";
import { CONFIG_NAME } from "../config/config.ts";
import type { ConfigFile } from "../workspace/config-file.ts";
import { listWorkspaceTemplate } from "../workspace/workspace-template.ts";
import { listGitPaths } from "../workspace/list-git-paths.ts";

const FILE_BYTES_MAX = 1024 * 1024;
const LIST_BYTES_MAX = 16 * 1024 * 1024;

export async function checkHead(repository: Repository): Promise<DoctorCheck> {
  const { text, commit } = await readHead(repository);
  if (commit === null) {
    return fail("repository", {
      message: `${repository.root} has no commit yet.`,
      fix: "Make a first commit.",
    });
  }
  const branch = /^ref: refs\/heads\/(?<name>.+)$/s.exec(text)?.groups?.["name"];
  if (branch !== undefined) return ok("repository", `${repository.root}, on branch ${branch}`);
  return fail("repository", {
    message: "HEAD is detached: there is no branch to commit to.",
    fix: "Switch to a branch with `git switch`.",
  });
}

export async function checkIdentity(repository: Repository): Promise<DoctorCheck> {
  const { name, email, isFallback } = await commitIdentity(repository);
  if (!isFallback) return ok("identity", `commits are by ${name} <${email}>`);
  return warn("identity", {
    message: `Git knows no user.name and user.email here, so commits are by ${name} <${email}>.`,
    fix: "`git config --global user.name` and `git config --global user.email` set yours.",
  });
}

export function checkConfig(file: ConfigFile): DoctorCheck {
  if (file.kind === "config") return ok("config", CONFIG_NAME);
  if (file.kind === "missing") return ok("config", "none; relais uses what it finds, and `relais init` writes it down");
  const { message, problems } = file;
  return fail("config", { message, problems, fix: `Fix ${CONFIG_NAME}.` });
}

export async function checkWorkspace(repository: Repository, workspace: string): Promise<readonly DoctorCheck[]> {
  const problem = findWorkspaceProblem(repository.root, workspace);
  if (problem === WORKSPACE_MISSING) return [ok("workspace", `${workspace}/ is made by the first tick`)];
  if (problem !== null) {
    const fix = "Move it away.";
    return [fail("workspace", { message: `${workspace}/ cannot be used: ${problem}.`, fix })];
  }
  return [
    await checkContent(repository.root, workspace),
    await checkIgnored(repository, workspace),
    await checkCommitted(repository, workspace),
  ];
}

/** Of a missing file the one in the package counts, so only other versions are worth a warning. */
async function checkContent(root: string, workspace: string): Promise<DoctorCheck> {
  const outdated: string[] = [];
  for (const { name, text } of listWorkspaceTemplate().filter((file) => file.name.startsWith("schemas/"))) {
    const read = await readBounded(join(root, workspace, name), FILE_BYTES_MAX);
    if (read.kind === "refused" || (read.kind === "read" && read.data.toString("utf8") !== text))
      outdated.push(`${workspace}/${name} belongs to another version of relais`);
  }
  if (outdated.length === 0) return ok("workspace", `${workspace}/`);
  const fix = "Remove those files, then run `relais init` again; with `--full` it writes all of them.";
  return warn("workspace", { message: `${workspace}/ is outdated.`, problems: outdated, fix });
}

/** Otherwise the files of relais would make the tree dirty for the next tick. */
async function checkIgnored(repository: Repository, workspace: string): Promise<DoctorCheck> {
  const samples = IGNORED_SAMPLES.map((name) => `${workspace}/${name}`);
  const ignored = await listGitPaths(repository, {
    outputBytesMax: LIST_BYTES_MAX,
    args: ["check-ignore", "-z", "--stdin"],
    input: Buffer.from(samples.map((path) => `${path}\0`).join("")),
    // This command refuses literal pathspecs; the characters of a workspace's name mean nothing special.
    env: { GIT_LITERAL_PATHSPECS: undefined },
    okStatuses: [0, 1],
  });
  const seen = samples.filter((path) => !ignored.includes(path));
  if (seen.length === 0) return ok("ignored", `git ignores what relais writes in ${workspace}/`);
  return fail("ignored", {
    message: `Git does not ignore the files of relais in ${workspace}/; the next tick would find a dirty tree.`,
    problems: seen.map((path) => `${path} is not ignored`),
    fix: `Remove ${workspace}/.gitignore and run \`relais eject .gitignore\`; untrack files with \`git rm --cached\`.`,
  });
}

async function checkCommitted(repository: Repository, workspace: string): Promise<DoctorCheck> {
  const args = ["ls-files", "-z", "--others", "--exclude-standard", "--", CONFIG_NAME, workspace];
  const [first, ...more] = await listGitPaths(repository, { args, outputBytesMax: LIST_BYTES_MAX });
  if (first === undefined) return ok("committed", "configuration and workspace are committed");
  return warn("committed", {
    message: `Not committed: ${first}${more.length === 0 ? "" : ` and ${more.length} more`}.`,
    fix: "Commit with `relais init --commit`.",
  });
}
