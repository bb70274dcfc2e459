/** A sample of what `npm run test:full -- crash` does at every call, and the same with a true kill. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../support/part-of.ts";
import { executable } from "../support/relais.ts";
import { compileRecorder, killAfter } from "./recorder.ts";
import type { Before, Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { sweep } from "./sweep.ts";

const compiled = compileRecorder();
const isMissing = "missing" in compiled;
const recorder = "path" in compiled ? compiled.path : "";
/** Every scenario has more calls than this. */
const EVERY = 500;

/** `npm test` tries single ticks by true kills, and series here. */
const isSeries = ({ name }: Scenario): boolean => / of |:/.test(name);
const series = SCENARIOS.filter(isSeries);
const ticks = SCENARIOS.filter((scenario) => !isSeries(scenario));

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "relais-states-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Skipped where nothing can be recorded: `compileRecorder` says why. */
test
  .skipIf(isMissing)
  .each([
    ...partOf(series, { kindOf: ({ name }) => name, oneIn: 1 }),
    ...partOf(ticks, { kindOf: () => "tick", oneIn: 100 }),
  ])(
  "$name, $place: what a crash leaves after a call is recovered and goes on",
  async (scenario) => {
    const folder = join(makeFolder(), "states");
    const { tried, states } = await sweep({ scenario, executable, recorder, folder, every: EVERY });
    expect(tried.flatMap(({ name, call, failures }) => failures.map((one) => `${name} ${call}: ${one}`))).toEqual([]);
    expect(tried).toHaveLength(states);
    expect(states).toBeGreaterThan(0);
  },
  300_000,
);

test.skipIf(isMissing).each(
  // The commands of a job are several programs: `npm run test:queue` kills its workers.
  partOf(
    SCENARIOS.filter(({ name }) => !name.startsWith("job")),
    { kindOf: () => "kill", oneIn: 100 },
  ),
)(
  "$name, $place: a true kill ends as the state that was kept after the same call",
  async (scenario) => {
    const folder = join(makeFolder(), "states");
    const { tried } = await sweep({
      scenario,
      executable,
      recorder,
      folder,
      every: EVERY,
      choose: (all) => all.slice(0, 1),
    });
    const site = await scenario.open(executable);
    onTestFinished(() => site.remove());
    const before: Before = { whole: site.look(), files: site.lookAtFiles() };
    expect(await killAfter({ recorder, site, argv: scenario.argv(site), folder }, EVERY)).not.toBeNull();
    const recovered = await scenario.recover(site, before);
    expect(recovered).toEqual({ outcome: tried[0]?.outcome, failures: [] });
    expect(await scenario.goOn(site, before, recovered)).toEqual([]);
  },
  300_000,
);
