/** `relais drill` as a process, with two builders; drill-more.test.ts has what takes longer. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { makeDrillGround, OUTSIDE, parseDrill, runDrillIn } from "../support/drill-ground.ts";
import { differences } from "../support/walker.ts";

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
