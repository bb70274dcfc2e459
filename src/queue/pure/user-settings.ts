import * as v from "valibot";
import { key, openKey } from "../../config/key.ts";
import { JobCommand } from "./job.ts";

/** Whether an address has a password or a token in it: a job, an invitation and a result never hold one. */
export function hasLogin(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/@]*:[^/]*@/i.test(address) || /^https?:\/\/(?:[^/]*@|[^?#]*[?#])/i.test(address);
}

/**
 * A person's own settings, for all repositories: `settings.json` in the folder `relais` of the person's configuration.
 *
 * Nothing here can come from a repository or from a job.
 */

const FilePath = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.regex(/^\/[^\0]*$/, "a path from the root, such as /home/me/ca.pem"),
);
const Address = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(2048),
  v.check(
    (text) => !hasLogin(text),
    "an address without a login: git takes it from its credential helper, or from ssh",
  ),
);

/** One server, or several of one cluster with commas between them. */
export const QueueUrl = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.regex(
    /^(?:nats|tls):\/\/[\w.[\]:-]+(?:,(?:nats|tls):\/\/[\w.[\]:-]+)*$/,
    "an address such as tls://queue.example.com:4222",
  ),
);

const WorkerTrust = v.strictObject({
  repositories: key(
    v.pipe(v.array(Address), v.maxLength(1000)),
    "The repositories whose jobs a worker takes, by the address that it clones from and pushes to.",
    [],
  ),
  branches: key(
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(250))), v.maxLength(100)),
    "The branches that the base commit of a job must be part of. Empty: the branch that HEAD of the repository names.",
    [],
  ),
  commands: key(
    v.array(JobCommand),
    "The commands that a job may run. A `task` names its own scope and checks: allow it only if you trust all submitters.",
    ["run", "goal", "campaign", "tree", "loop"],
  ),
});
export type WorkerTrust = v.InferOutput<typeof WorkerTrust>;

export const UserSettings = v.strictObject({
  version: v.literal(1),
  queue: openKey(
    v.strictObject({
      url: v.pipe(QueueUrl, v.description("The server of the queue. `tls://` needs a certificate for that name.")),
      ca: openKey(FilePath, "The authority of the server's certificate, as PEM. Without it: those of the system."),
      credentials: v.pipe(FilePath, v.description("The keys of this machine, readable by its owner only.")),
    }),
    "The queue that several machines share. Without it the queue is a folder of this machine.",
  ),
  worker: key(WorkerTrust, "What jobs of a shared queue may do on this machine.", {}),
});
export type UserSettings = v.InferOutput<typeof UserSettings>;

/**
 * The name of a repository that several machines share: its host and path, without a user, a password, a protocol, a
 * slash at the end or `.git`. So the same repository has one name over ssh and https. Null for what is no such address.
 */
export function nameAddress(address: string): string | null {
  const plain = /^[\x21-\x7e]{1,2048}$/.test(address) ? address : "";
  const [, host, path] = URL_FORM.exec(plain) ?? SCP_FORM.exec(plain) ?? [];
  if (host === undefined || path === undefined) return null;
  const name = path.replaceAll(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  const isPlain =
    name !== "" && !host.startsWith("-") && !name.split("/").some((part) => /^(?:\.{0,2}|-.*)$/.test(part));
  return isPlain ? `${host.toLowerCase()}/${name}` : null;
}

/** The protocols that reach another machine, and files for repositories on a mounted disk. `ext::` would be a program. */
const URL_FORM = /^(?:https?|ssh|git|file):\/\/(?:[^/@\s]*@)?([^/@\s]*)(\/[^\s?#]*)$/;
const SCP_FORM = /^(?:[\w.-]+@)([\w.-]+):(?!:)([^\s?#]+)$/;
