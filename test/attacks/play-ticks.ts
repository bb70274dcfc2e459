/** Lets attacks loose in whole ticks as one of the users that there are, and gathers the reports. */
import type { HostileBuilder } from "../../src/drill/pure/hostile-builder.ts";
import { runDriver, type User } from "../support/user-driver.ts";
import { ATTACKS } from "./discover.ts";
import type { Setting } from "./setting.ts";
import type { TickReport } from "./tick-driver.ts";

interface Outing {
  readonly executable: string;
  readonly builders: readonly HostileBuilder[];
  readonly user: User;
  /** One for all, or one for each that a seed draws of those that this machine has. */
  readonly setting: Setting | { readonly seed: string };
  /** Of the file system that they work on; the usual one for temporary files where it is not named. */
  readonly folder?: string;
  readonly onReport?: (report: TickReport) => void;
}

export async function playTicks(outing: Outing): Promise<ReadonlyMap<string, TickReport>> {
  const { executable, builders, user, setting, folder, onReport } = outing;
  const reports = new Map<string, TickReport>();
  const chosen = "seed" in setting ? ["drawn", setting.seed] : [setting.isolation, setting.sandbox];
  await runDriver({
    driver: "test/attacks/tick-driver.ts",
    executable,
    files: [ATTACKS],
    args: [builders.map(({ id }) => id).join(","), ...chosen],
    user,
    // Without a sandbox is a setting too, so the machine's own one must be in reach.
    isSandboxed: true,
    folder,
    onLine: (line) => {
      const report: TickReport = JSON.parse(line);
      reports.set(report.id, report);
      onReport?.(report);
    },
  });
  return reports;
}
