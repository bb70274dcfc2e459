import { findDueTime } from "./pure/due-schedules.ts";
import type { EngineParts } from "./engine-parts.ts";
import { nameStore } from "./submit-job.ts";

/** Makes a job of each schedule that is due. Several workers make the same job, because its name is fixed. */
export async function fireSchedules(parts: EngineParts): Promise<void> {
  const { store, log } = parts;
  for (;;) {
    const due = findDueTime(await log.refresh(), parts.now(), parts.findDue);
    const schedule = due === null ? undefined : log.known().schedules.get(due.schedule);
    if (due === null || schedule === undefined) return;
    const name = nameStore(due.job);
    await store.writeSpec(name, await store.readSpec(schedule.store, schedule.spec));
    const seq = await log.record((state) => {
      const again = findDueTime(state, parts.now(), parts.findDue);
      return again?.job === due.job ? { kind: "fired", ...due, store: name } : null;
    });
    if (seq === null) await store.remove([name]);
    else await log.sync();
  }
}
