import fc from "fast-check";
import { expect, test } from "vitest";
import { findCollisions } from "../../../src/evidence/pure/compare-manifests.ts";

const name = fc.constantFrom("a", "A", "é", "e\u0301", "É", "b");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

const folded = (text: string): string => text.normalize("NFC").toLowerCase().normalize("NFC");
const prefixes = (text: string): string[] => text.split("/").map((_, index, all) => all.slice(0, index + 1).join("/"));

test("a new path collides when one of its folders or itself is another's twin", () => {
  fc.assert(
    fc.property(fc.array(path), path, (existing, added) => {
      const others = existing.flatMap(prefixes);
      const expected = prefixes(added).some((part) =>
        others.some((other) => folded(other) === folded(part) && !others.includes(part)),
      );
      // Where the existing paths already hold twins of each other, either answer names a real one.
      fc.pre(new Set(others.map(folded)).size === new Set(others).size);
      expect(findCollisions([added], existing).with(added) !== null).toBe(expected);
    }),
  );
});

test("two new paths that are twins of each other are found", () => {
  const collisions = findCollisions(["src/Readme", "src/README"], []);
  expect(collisions.with("src/Readme")).toBeNull();
  expect(collisions.with("src/README")).toBe("src/Readme");
});

test("letters that fold to several are twins too", () => {
  expect(findCollisions(["straSSe"], ["stra\u00dfe"]).with("straSSe")).toBe("stra\u00dfe");
});
