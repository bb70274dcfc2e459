/** The loop of a worker without a session: it claims jobs and runs a command for each. files|nats PLACE SLOTS COMMAND... */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { findProcessStart } from "../../src/process/process-table.ts";
import { ENGINES } from "../../test/queue/open-engine.ts";

const [, , kind = "", place = "", slots = "1", program = "true", ...args] = process.argv;
const { signal } = new AbortController();
const engine = await (kind === "nats" ? ENGINES.nats(place) : ENGINES.files(place));
const worker = { id: `bench-${process.pid}`, host: "here", pid: process.pid };
await Promise.all(Array.from({ length: Number(slots) }, fillSlot));
await engine.close();

async function fillSlot(): Promise<void> {
  for (;;) {
    const claim = await engine.claim(worker, { labels: [], leaseMs: 60_000 }, { until: "drain", signal });
    if (claim === null) return;
    const child = spawn(program, args, { stdio: "ignore" });
    const gone = once(child, "exit");
    const { pid = 0 } = child;
    await claim.started({ pid, birth: (await findProcessStart(pid)) ?? "gone", boot: "this" });
    await gone;
    const { spent } = claim;
    const summary = "it ended";
    await claim.finish({ outcome: "done", code: null, exit_status: 0, branch: null, commit: null, spent, summary });
  }
}
