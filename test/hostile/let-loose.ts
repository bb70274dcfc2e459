/** Lets builders loose as one of the users that there are, and gathers the reports. */
import { runDriver, type User } from "../support/user-driver.ts";
import type { HostileBuilder } from "../../src/core/drill/hostile-builder.ts";
import type { HostileReport } from "./driver.ts";
import type { Setting } from "./setting.ts";

interface Outing {
  readonly executable: string;
  readonly builders: readonly HostileBuilder[];
  readonly user: User;
  readonly setting: Setting;
  /** Of the file system that they work on; the usual one for temporary files where it is not named. */
  readonly folder?: string;
  readonly onReport?: (report: HostileReport) => void;
}

export async function letLoose(outing: Outing): Promise<ReadonlyMap<string, HostileReport>> {
  const { executable, builders, user, setting, folder, onReport } = outing;
  const reports = new Map<string, HostileReport>();
  await runDriver({
    driver: "test/hostile/driver.ts",
    executable,
    files: ["drill"],
    args: [builders.map(({ id }) => id).join(","), setting.isolation, setting.sandbox],
    user,
    isSandboxed: setting.sandbox !== "off",
    folder,
    onLine: (line) => {
      const report: HostileReport = JSON.parse(line);
      reports.set(report.id, report);
      onReport?.(report);
    },
  });
  return reports;
}
