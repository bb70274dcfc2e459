import { type NotReady, refuseNotReady } from "../records/command-failure.ts";
import type { Environment } from "../base/environment.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import { locateStateRoot } from "../journal/state-directory.ts";

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
