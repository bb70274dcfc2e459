import { describe, expect, test } from "vitest";
import type { OpenWorld } from "./describe-engine.ts";
import { waitUntil } from "./engine-world.ts";
import { NOTHING } from "./jobs.ts";

const SESSION = { pid: 4_000_001, birth: "1", boot: "b" };
const LONG_MS = 60_000;
const SHORT_MS = 300;

export function describeLosses(open: OpenWorld): void {
  describe("losses", () => {
    test("a killed worker's job is taken over at once, with what it recorded", async () => {
      const { submit, claim, startWorker, engine } = await open();
      const job = await submit();
      const worker = startWorker("victim");
      const claimed = await worker.ask({ do: "claim", leaseMs: LONG_MS });
      expect(claimed).toMatchObject({ job, attempt: 1 });
      await worker.ask({ do: "started", process: SESSION });
      await worker.ask({ do: "append", lines: ["first"] });
      await worker.ask({ do: "spend", spent: { ...NOTHING, ticks: 2, dollars: 0.5 } });
      await worker.ask({ do: "attach", name: "salvage", text: "half" });
      const waiting = claim({ until: "signal" });
      await worker.end();
      const successor = await waiting;
      expect(successor).toMatchObject({
        job,
        attempt: 2,
        spent: { ...NOTHING, ticks: 2, dollars: 0.5 },
        leftovers: [{ job, attempt: 1, process: SESSION }],
      });
      expect(await engine.find(job)).toMatchObject({
        losses: [{ attempt: 1, why: "its worker is gone" }],
        attachments: [{ name: "salvage", attempt: 1, bytes: 4 }],
      });
    });

    test("a process that looks for the first time knows the age of a worker's last beat", async () => {
      const { submit, startWorker, again } = await open();
      const job = await submit();
      const worker = startWorker("seen");
      await worker.ask({ do: "claim", leaseMs: LONG_MS });
      worker.kill("SIGSTOP"); // It is there, and beats no more.
      const look = async (): Promise<number | null> => {
        const engine = await again();
        const silentMs = (await engine.find(job))?.worker?.silentMs ?? null;
        await engine.close();
        return silentMs;
      };
      const first = await look();
      expect(first).toBeTypeOf("number");
      expect(await waitUntil(look, (ms) => (ms ?? 0) > (first ?? 0) + 1000)).toBeLessThan(LONG_MS);
      worker.kill("SIGCONT");
    });

    test("a worker that is silent for longer than its lease is shown as lost at the first look", async () => {
      const { submit, startWorker, again } = await open();
      const job = await submit();
      const worker = startWorker("silent");
      await worker.ask({ do: "claim", leaseMs: SHORT_MS });
      worker.kill("SIGSTOP");
      const look = async (): Promise<string | null> => {
        const engine = await again();
        const lost = (await engine.find(job))?.worker?.lost ?? null;
        await engine.close();
        return lost;
      };
      expect(await waitUntil(look, (lost) => lost !== null)).toMatch(/^its worker was silent for/);
      worker.kill("SIGCONT");
    });

    test("what a lost attempt left is named to the next job of its key, until one has started", async () => {
      const { submit, claimOne, startWorker, engine } = await open();
      await submit({}, { attempts_max: 1 }, "poison");
      await submit({}, {}, "next");
      const worker = startWorker("victim");
      await worker.ask({ do: "claim", leaseMs: LONG_MS });
      await worker.ask({ do: "started", process: SESSION });
      await worker.end();
      const leftovers = [{ job: "poison", attempt: 1, process: SESSION }];
      const next = await waitUntil(
        () => claimOne().catch(() => null),
        (claim) => claim !== null,
      );
      expect(next).toMatchObject({ job: "next", leftovers });
      await next?.release("not yet", null);
      const again = await claimOne();
      expect(again.leftovers).toEqual(leftovers);
      await again.started({ ...SESSION, pid: SESSION.pid + 1 });
      await again.release("not yet", null);
      expect((await claimOne()).leftovers).toEqual([]);
      expect(await engine.find("poison")).toMatchObject({ phase: "failed" });
    });

    test("everything that a fenced worker does is refused", async () => {
      const { submit, claim, startWorker, engine } = await open();
      const job = await submit();
      const worker = startWorker("stopped");
      await worker.ask({ do: "claim", leaseMs: SHORT_MS });
      await worker.ask({ do: "append", lines: ["in time"] });
      worker.kill("SIGSTOP");
      const successor = await claim({ until: "signal" });
      expect(successor).toMatchObject({ job, attempt: 2 });
      worker.kill("SIGCONT");
      expect(
        await waitUntil(
          () => worker.ask({ do: "is-lost" }),
          (isLost) => isLost === true,
        ),
      ).toBe(true);
      expect(await worker.ask({ do: "started", process: SESSION })).toBe("fenced");
      expect(await worker.ask({ do: "append", lines: ["late"] })).toBe("fenced");
      expect(await worker.ask({ do: "attach", name: "late", text: "late" })).toBe("fenced");
      expect(await worker.ask({ do: "spend", spent: { ...NOTHING, ticks: 9 } })).toBe("fenced");
      expect(await worker.ask({ do: "finish" })).toBe("fenced");
      const view = await engine.find(job);
      expect(view).toMatchObject({ phase: "running", spent: NOTHING, attachments: [], result: null, attempt: 2 });
      expect(await engine.readAttachment(job, 1, "late")).toBeNull();
      expect(await worker.ask({ do: "claim", leaseMs: SHORT_MS })).toBeNull();
    });

    test("a lost worker is seen as such before somebody takes its job over", async () => {
      const { submit, startWorker, engine } = await open();
      const job = await submit();
      const worker = startWorker("gone");
      await worker.ask({ do: "claim", leaseMs: LONG_MS });
      expect((await engine.find(job))?.worker).toMatchObject({ id: "gone", lost: null, silentMs: expect.any(Number) });
      await worker.end();
      const seen = await waitUntil(
        () => engine.jobs(),
        ([view]) => view?.worker?.lost != null,
      );
      expect(seen).toMatchObject([{ phase: "running", worker: { id: "gone", lost: "its worker is gone" } }]);
    });

    test("a worker that only works for long keeps its job", async () => {
      const { submit, claim, startWorker, engine } = await open();
      const job = await submit();
      const worker = startWorker("slow");
      await worker.ask({ do: "claim", leaseMs: SHORT_MS });
      await new Promise((resolve) => setTimeout(resolve, 3 * SHORT_MS));
      expect(await claim()).toBeNull();
      expect(await engine.find(job)).toMatchObject({ phase: "running", attempt: 1 });
      expect(await worker.ask({ do: "finish" })).toBe("recorded");
    });

    test("a clock that jumps ends no lease", async () => {
      const { submit, claim, startWorker, engine, clock } = await open();
      const job = await submit();
      await startWorker("steady").ask({ do: "claim", leaseMs: LONG_MS });
      for (const aheadMs of [86_400_000_000, -86_400_000_000]) {
        clock.aheadMs = aheadMs;
        expect(await claim()).toBeNull();
      }
      expect(await engine.find(job)).toMatchObject({ phase: "running", attempt: 1 });
    });

    test("a job that loses every worker ends, and can be tried again", async () => {
      const { submit, claim, claimOne, startWorker, engine } = await open();
      const job = await submit({}, { attempts_max: 2 });
      for (const name of ["one", "two"]) {
        const worker = startWorker(name);
        expect(await worker.ask({ do: "claim", leaseMs: LONG_MS, until: "signal" })).toMatchObject({ job });
        await worker.end();
      }
      expect(await claim({ until: "drain" })).toBeNull();
      const view = await engine.find(job);
      expect(view).toMatchObject({ phase: "failed", attempt: 2, result: { outcome: "failed" } });
      expect(view?.result?.summary).toBe(
        "2 attempts were lost with their workers, the last one because its worker is gone",
      );
      expect(await engine.retry(job)).toBe("waiting");
      expect(await claimOne()).toMatchObject({ job, attempt: 3 });
    });
  });
}
