import { join } from "node:path";
import { readTranscriptEvents } from "../agents/transcript-events.ts";
import type { JournalLine } from "../records/event.ts";
import { CHECKS, type LiveListener } from "../records/live-event.ts";
import { readClockMs } from "../system/clock.ts";
import { followLines } from "../system/follow-file.ts";
import { locateRunDirectory } from "../journal/run-directory.ts";

/** Emits the activity of agents from the transcripts that another process writes. */
export function followSessions(stateDirectory: string, emit: LiveListener) {
  let runId = "";
  const looks = new Map<string, () => void>();
  const open = (name: string, speaker: string, driver: Parameters<typeof readTranscriptEvents>[0]): void => {
    const news = followLines(join(locateRunDirectory(stateDirectory, runId), `${name}.log`));
    const read = readTranscriptEvents(driver, (event) => emit({ kind: "agent", atMs: readClockMs(), speaker, event }));
    looks.set(name, () => {
      for (const line of news()) read(line);
    });
  };
  const look = (): void => {
    for (const one of looks.values()) one();
  };
  return {
    take: ({ run_id, event }: JournalLine): void => {
      if (event.type === "tick_started") {
        // A session may end, and the next tick begin, between two looks.
        look();
        looks.clear();
      }
      runId = run_id;
      if (event.type === "planned") open("verify", CHECKS, "command");
      if (event.type === "plan_started" && !looks.has("orchestrator"))
        open("orchestrator", "orchestrator", event.driver);
      if (event.type === "build_started") open("builder", "builder", event.driver);
      if (event.type === "review_started") {
        const { driver } = event;
        for (const { reviewer } of event.sessions)
          for (const role of ["reviewer", "verifier"]) open(`${role}-${reviewer}`, `${role} ${reviewer}`, driver);
      }
    },
    look,
  };
}
