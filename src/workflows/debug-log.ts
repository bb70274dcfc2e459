import type { Work } from "./pure/workflow.ts";
import { readClockMs } from "../system/clock.ts";
import { appendText } from "../system/append-text.ts";
import type { LiveEvent } from "../records/live-event.ts";

/** What `--debug` writes: each tick with its model, what its agents do, and how it ended. */
export function openDebugLog(path: string) {
  let lines: string[] = [];
  const note = (line: string): void => {
    lines.push(`${new Date(readClockMs()).toISOString()} ${line}\n`);
  };
  return {
    emit: (event: LiveEvent): void => {
      if (event.kind === "agent" && event.event.type !== "output") note(`${event.speaker} ${event.event.type}`);
      if (event.kind !== "recorded") return;
      const recorded = event.line.event;
      if (recorded.type === "tick_ended") note(`ended ${recorded.code} ${recorded.cause ?? ""}`);
      if (recorded.type === "series_waiting") note(`wait until ${recorded.until}`);
      if (recorded.type === "series_ended") note(`end ${recorded.end} ${recorded.reason}`);
    },
    begin: ({ review, roles = {}, task }: Work): void => {
      const role = review === null ? roles.builder : roles.verifier;
      note(`begin ${task?.task_id} model=${role?.model}`);
    },
    /** Not during a tick: nothing may be written in the repository while it is observed. */
    flush: async (): Promise<void> => {
      const text = lines.join("");
      lines = [];
      if (text !== "") await appendText(path, text);
    },
  };
}
