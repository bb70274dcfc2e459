import { QueueError } from "../../contract/queue/queue-error.ts";
import type { FindDue } from "../../core/queue/due-schedules.ts";

export const findDueInCron: FindDue = () => {
  throw new QueueError("refused", "schedules are not supported yet");
};
