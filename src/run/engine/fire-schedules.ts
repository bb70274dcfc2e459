import { findDueTime } from "../../core/queue/due-schedules.ts";
import { readSpec, removeJobFiles, writeSpec } from "../../io/queue/job-files.ts";
import type { EngineParts } from "./engine-parts.ts";
import { nameStore } from "./submit-job.ts";

/** Makes a job of each schedule that is due. Several workers make the same job, because its name is fixed. */
export async function fireSchedules(parts: EngineParts): Promise<void> {
  const { folder, log } = parts;
  for (;;) {
    const due = findDueTime(log.refresh(), parts.now(), parts.findDue);
    const schedule = due === null ? undefined : log.refresh().schedules.get(due.schedule);
    if (due === null || schedule === undefined) return;
    const store = nameStore(due.job);
    await writeSpec({ folder, store }, readSpec({ folder, store: schedule.store }, schedule.spec));
    const seq = log.record((state) => {
      const again = findDueTime(state, parts.now(), parts.findDue);
      return again?.job === due.job ? { kind: "fired", ...due, store } : null;
    });
    if (seq === null) await removeJobFiles(folder, [store]);
    else await log.sync();
  }
}
