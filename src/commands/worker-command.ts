import { JobLabel, type WorkerEvent } from "../queue/pure/job.ts";
import { parseWith } from "../base/schema-error.ts";
import { probeWorkerSandbox } from "../jobs/worker-sandbox.ts";
import { runWorker } from "../jobs/run-worker.ts";
import { renderWorkerSummary } from "../cards/worker-text.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { onQueue } from "./queue-answer.ts";
import { refuseMisuse, type RunCommand } from "../terminal/command.ts";
import { watchWorker } from "../terminal/worker-screen.ts";
import type { WorkerOptions } from "./worker-spec.ts";

const FAILED_STATUS = 10;

export const runWorkerCommand: RunCommand<WorkerOptions> = ({ options }, session) => {
  if (options.flag("once") && options.flag("drain"))
    return Promise.resolve(refuseMisuse("--once and --drain exclude each other"));
  const labels = options.list("labels").flatMap((text) => text.split(","));
  const wrong = labels.find((label) => parseWith(JobLabel, label).kind === "invalid");
  if (wrong !== undefined)
    return Promise.resolve(refuseMisuse(`"${wrong}" is no label: use letters, digits, . _ and -`));
  const isSandboxed = !options.flag("unsandboxed");
  return onQueue(session, async (queue) => {
    const refusal = isSandboxed ? await probeWorkerSandbox(session) : null;
    if (refusal !== null) return refusal;
    const until = options.flag("once") ? "once" : options.flag("drain") ? "drain" : "signal";
    const slots = until === "once" ? 1 : (options.number("slots") ?? 1);
    const watch = watchWorker(session, slots);
    const emit = (event: WorkerEvent): void => {
      if (session.json) session.out(`${JSON.stringify(event)}\n`);
      watch(event);
    };
    const counts = await runWorker(queue, { ...session, slots, labels, until, isSandboxed, emit });
    session.stage.clear();
    const status = until === "once" && counts.failed > 0 ? FAILED_STATUS : 0;
    const document = { kind: "worker_summary", ...counts };
    return printAnswer({ document, text: () => renderWorkerSummary(counts), status }, session);
  });
};
