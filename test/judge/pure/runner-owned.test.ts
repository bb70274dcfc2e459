import { expect, test } from "vitest";
import { change, findingsOf, link, side } from "../../support/evidence.ts";

test.each([
  ["relais/STATE.json", "relais/**"],
  ["Relais/state.json", "relais/**"],
  ["relais.config.json", "relais.config.json"],
])("%s belongs to the runner", (path, glob) => {
  expect(findingsOf("runner-owned", [change(path)])).toMatchObject([
    { code: "STOP_RUNNER_OWNED_MUTATION", subject: path, glob },
  ]);
});

test("putting a link in the place of the workspace is refused", () => {
  const swapped = change("relais", { before: side({ type: "directory" }), after: link("src") });
  expect(findingsOf("runner-owned", [swapped])).toHaveLength(1);
});

test("neither being ignored nor a writable glob gives the runner's files away", () => {
  const changes = [change("relais/STATE.json", { standing: "ignored" })];
  const findings = findingsOf("runner-owned", changes, { ignored: "allow", ignored_writable_globs: ["**"] });
  expect(findings).toHaveLength(1);
});

test("other files are not the runner's", () => {
  expect(findingsOf("runner-owned", [change("src/relais/a"), change("relaisx")])).toEqual([]);
});
