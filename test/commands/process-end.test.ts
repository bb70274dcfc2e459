/** A command is over with its last line. Here a tick and two commands that only read; `process-end-all.test.ts` has all. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findLateEnds, watchEnds } from "../support/end-watch.ts";
import { relais } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";

const watch = watchEnds();
const { place, samples, sample, inside, anywhere } = watch;
afterAll(watch.remove);

test("relais run, status and explain end with their last line", async () => {
  await inWorld({}, async (world) => {
    await inside(world, "run", "--task", join(world.box, "task.json"));
    await inside(world, "status");
  });
  await anywhere("explain", "SUCCESS");
  for (const name of ["run", "status", "explain"]) expect(findLateEnds(watch, name)).toEqual([]);
});

test("the watch hears a timer that outlives the last line", async () => {
  const late = join(place, "late.cjs");
  writeFileSync(
    late,
    'process.on("beforeExit", (n) => { if (!global.l) { global.l = 1; setTimeout(() => {}, 50); } });',
  );
  await sample(["late"], (env) =>
    relais(["--version"], {
      cwd: place,
      env: { ...env, NODE_OPTIONS: `${env["NODE_OPTIONS"]} --require=${late}` },
    }),
  );
  expect(samples.get("late")?.[0]?.afterwards).toContain("Timeout");
});
