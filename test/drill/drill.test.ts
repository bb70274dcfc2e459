/** `relais drill` as a process, with two builders; drill-more.test.ts has what takes longer. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { findRepository } from "../../src/git/repository-layout.ts";
import { findStateDirectory } from "../../src/journal/state-directory.ts";
import { recallScorecard } from "../../src/journal/remembered-scorecard.ts";
import { listBuilders, runDrill } from "../../src/drill/drill.ts";
import { makeDrillGround, OUTSIDE, parseDrill, runDrillIn } from "../support/drill-ground.ts";
import { environmentOf, executable } from "../support/relais.ts";
import { differences } from "../support/walker.ts";

test("the page shows the scorecard of the last whole drill", async () => {
  const { box, root, temporary } = makeDrillGround();
  const environment = { ...environmentOf({ cwd: box }), TMPDIR: temporary };
  const repository = await findRepository(root, environment);
  if (repository.kind !== "repository") throw new Error("there is no repository");
  // Nobody has made it yet: the drill may be the first command here.
  const { path: state } = findStateDirectory(repository, environment);
  const request = { cwd: root, environment, relais: [process.execPath, executable] as const, limitMs: null };
  const builders = listBuilders().filter(({ id }) => id === "files/outside-the-scope");
  const more = { builders, signal: new AbortController().signal, onStart: () => {}, onResult: () => {} };
  await runDrill({ ...request, ...more, isWhole: false });
  expect(recallScorecard(state)).toBeNull();
  await runDrill({ ...request, ...more, isWhole: true });
  expect(recallScorecard(state)).toMatchObject({ builders: 1, bad: [], rows: [{ name: "files" }] });
});

test("a good configuration holds everything, and the repository and the machine are as before", async () => {
  const ground = makeDrillGround();
  const before = ground.look();
  const cases = [...OUTSIDE, "--case", "honest/written-anew"];
  const { status, stdout, stderr } = await runDrillIn(ground, [...cases, "--json"]);
  expect(stderr).toBe("");
  const { ok, places, results } = parseDrill(stdout);
  expect({ ok, status }).toEqual({ ok: true, status: 0 });
  expect(places.map(({ place }) => place)).toContain("in_place");
  expect(results).toHaveLength(2 * places.length);
  expect(new Set(results.map(({ outcome }) => outcome))).not.toContain("escaped");
  expect(results.filter(({ id }) => id === "honest/written-anew").map(({ outcome }) => outcome)).toContain("passed");
  expect(differences(before, ground.look())).toEqual([]);
  expect(readdirSync(ground.temporary)).toEqual([]);
});

test.each([
  ["git/comit", 'did you mean "git/commit"?'],
  ["xyz", "CLASS/NAME, with a class of git, files,"],
])("the builder %s does not exist, and the answer says what to write", async (id, hint) => {
  const { status, stderr } = await runDrillIn(makeDrillGround(), ["--case", id]);
  expect(status).toBe(2);
  expect(stderr).toContain(`there is no builder ${id}`);
  expect(stderr).toContain(hint);
  expect(stderr.split("\n").length).toBeLessThan(6);
});
