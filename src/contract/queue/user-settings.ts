/** What the owner of a worker allows jobs of others. Nothing here can come from a repository or from a job. */
import * as v from "valibot";
import { key } from "../config/key.ts";
import { JobCommand } from "./job.ts";

const Address = v.pipe(v.string(), v.minLength(1), v.maxLength(2048));

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
