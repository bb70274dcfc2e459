/** git writes the log of HEAD before it moves HEAD. A crash in between leaves that line, or a part of it. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { useSite } from "./running.ts";
import { argumentsOf, changedBetween } from "./site.ts";

const OWN_PLACES = (await listIsolations()).filter((isolation) => isolation !== "in_place");
const PATIENCE_MS = 120_000;

const useCommitting = (isolation: (typeof OWN_PLACES)[number]) => useSite("committed", { isolation, sandbox: "off" });

/** A tick that is killed before HEAD moves, with this at the end of the log then. */
async function killBeforeMove(isolation: (typeof OWN_PLACES)[number], added: string) {
  const site = await useCommitting(isolation);
  const before = site.look();
  const log = join(site.root, ".git/logs/HEAD");
  const [line = ""] = readFileSync(log, "utf8").split("\t");
  expect(await site.relais(argumentsOf(site), { at: "symbolic-ref", when: "before" })).toMatchObject({
    signal: "SIGKILL",
  });
  appendFileSync(log, `${line}\t${added}`);
  expect(await site.relais(["recover", "--yes"])).toMatchObject({ status: 0 });
  return { changed: changedBetween(before, site.look()), log: readFileSync(log, "utf8") };
}

test.each(
  OWN_PLACES.flatMap((place) =>
    ["relais: a branch for the series\n", "relais: a bra"].map((rest) => [place, rest] as const),
  ),
)(
  "%s: the line %j does not stay",
  async (isolation, added) => {
    expect((await killBeforeMove(isolation, added)).changed).toEqual([]);
  },
  PATIENCE_MS,
);

test.each(OWN_PLACES)(
  "%s: the line of a person stays",
  async (isolation) => {
    expect((await killBeforeMove(isolation, "checkout: moving from a to b\n")).log).toContain("checkout: moving");
  },
  PATIENCE_MS,
);
