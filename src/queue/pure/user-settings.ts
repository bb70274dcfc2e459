/**
 * A person's own settings, for all repositories: `settings.json` in the folder `relais` of the person's configuration.
 *
 * Nothing here can come from a repository or from a job.
 */
import * as v from "valibot";
import { hasLogin } from "./address-login.ts";
import { key, openKey } from "../../config/key.ts";
import { JobCommand } from "./job.ts";

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
