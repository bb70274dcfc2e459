import {
  eventsOf,
  firstRecoveryProblems,
  keptProblems,
  named,
  nextTickProblems,
  repetitionProblems,
} from "./aftermath.ts";
import type { Before, Recovered, Scenario } from "./scenario.ts";
import { differences } from "../support/walker.ts";
import {
  argumentsOf,
  changedBetween,
  type Isolation,
  type Kind,
  openSite,
  pickDirt,
  revertedWith,
  type Site,
} from "./site.ts";

const PLACES = { in_place: "in place", overlay: "overlay", clone: "clone" } as const;

/** A single tick: it is kept if the journal says so, otherwise everything is as before. */
export function tickScenario(kind: Kind, isolation: Isolation): Scenario {
  return {
    name: kind,
    place: PLACES[isolation],
    open: (executable) => openSite(executable, kind, { isolation, sandbox: "off" }),
    argv: (site) => [process.execPath, site.executable, ...argumentsOf(site), "--json"],
    isGood: (said) => said.includes(`"code":"${revertedWith(kind) ?? "SUCCESS"}"`),
    recover,
    goOn: async (site, before, { outcome }) => [
      ...(outcome === "reverted" ? named("recovered", changedBetween(before.whole, site.look())) : []),
      ...(await repetitionProblems(site)),
      ...(await nextTickProblems(site, kind)),
    ],
  };
}

async function recover(site: Site, { files }: Before): Promise<Recovered> {
  const left = site.journal();
  const settled = eventsOf(left).find(({ type }) => type === "settled");
  const isKept = settled !== undefined && revertedWith(site.kind) === null;
  const expected = settled === undefined ? files : site.lookAtFiles();
  const failures = [
    ...(settled !== undefined && !isKept ? named("settled", changedBetween(files, expected)) : []),
    ...(isKept ? named("kept", keptProblems(site, settled)) : []),
    ...named("mine", differences(pickDirt(files), pickDirt(site.lookAtFiles()))),
    ...(await firstRecoveryProblems(site, { left, expected, pid: undefined, isCopy: true })),
  ];
  return { outcome: isKept ? "kept" : "reverted", failures };
}
