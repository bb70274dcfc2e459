import { type NotReady, refuseNotReady } from "../../contract/answers/command-failure.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { withTemporaryFolder } from "../../io/files/temporary-folder.ts";
import { probeSandbox } from "../../io/sandbox/probe-sandbox.ts";
import { locateStateRoot } from "../../io/workspace/state-directory.ts";

/** Whether agents of jobs can be confined on this machine; null if so. */
export async function probeWorkerSandbox({
  environment,
}: {
  readonly environment: Environment;
}): Promise<NotReady | null> {
  const probe = await withTemporaryFolder(environment, (folder) =>
    probeSandbox({
      place: {
        cwd: folder,
        repository: { root: folder, gitDir: folder, commonDir: folder },
        owned: [],
        dropRoot: ".tmp",
        drop: null,
      },
      enclosure: null,
      environment,
      hidden: [],
      stateRoot: locateStateRoot(environment),
      logins: [],
      network: { kind: "off" },
    }),
  );
  if (probe.kind === "works") return null;
  return {
    ...refuseNotReady(
      "no_sandbox",
      `A worker runs jobs in a sandbox, and it does not work here: ${probe.reason}.`,
      `${probe.remedy} Or take jobs without one: \`relais worker --unsandboxed\`.`,
    ),
    code: "BLOCKED_SANDBOX_UNAVAILABLE",
  };
}
