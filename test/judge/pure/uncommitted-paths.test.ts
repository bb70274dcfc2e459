import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryChange } from "../../support/arbitrary-evidence.ts";
import { change, findingsOf } from "../../support/evidence.ts";

const GATE = "uncommitted-paths";

test("a change of what a person had not committed is held, and nothing beside it", () => {
  const changes = [change("src/a"), change("src/b")];
  expect(findingsOf(GATE, changes, { uncommitted_paths: ["src/b", "src/c"] })).toMatchObject([
    { code: "STOP_SUSPECT", subject: "src/b", rule: "It was changed by you, and not committed." },
  ]);
  expect(findingsOf(GATE, changes)).toEqual([]);
});

test("each path is found once, whatever changed in it", () => {
  fc.assert(
    fc.property(fc.uniqueArray(arbitraryChange, { maxLength: 6, selector: ({ path }) => path }), (changes) => {
      const seen = changes.filter(({ standing }) => standing !== "ignored").map(({ path }) => path);
      const found = findingsOf(GATE, changes, { uncommitted_paths: seen }).map(({ subject }) => subject);
      expect(found.toSorted()).toEqual(seen.toSorted());
      expect(findingsOf(GATE, changes, { uncommitted_paths: [] })).toEqual([]);
    }),
  );
});
