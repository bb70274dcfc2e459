import fc from "fast-check";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { added, change, findingsOf, link } from "../../support/evidence.ts";
import { runs } from "../../support/runs.ts";

const SCOPE = { allowed_globs: ["src/**", "lib/*.ts"], forbidden_globs: ["**/*secret*"] };

const findings = (path: string, target: string | null) => findingsOf("unsafe-path", [added(path, link(target))], SCOPE);

test.each([
  ["src/a", "b"],
  ["src/a", "./b/c"],
  ["src/a", "b//c/"],
  ["src/a", "../src/lib"],
  ["src/a", "../src"],
  ["src/deep/a", "../../lib/x.ts"],
  ["src/a", "."],
])("%s may lead to %s", (path, target) => {
  expect(findings(path, target)).toEqual([]);
});

test.each([
  ["src/a", null, "can be read"],
  ["src/a", "", "must have a target"],
  ["src/a", "/etc/passwd", "must be relative"],
  ["src/a", "../../x", "must stay inside"],
  ["a", "..", "must stay inside"],
  ["src/a", "..", "root of the repository"],
  ["src/a", "../.", "root of the repository"],
  ["src/a", "b/../../../x", "only at its beginning"],
  ["src/a", "b/..", "only at its beginning"],
  ["src/a", "../.git/config", "git's data"],
  ["src/a", "../.GIT./hooks", "git's data"],
  ["src/a", "../docs/x", "outside the allowed globs"],
  ["src/a", "../lib/x.js", "outside the allowed globs"],
  ["src/a", "../relais/STATE.json", "protected"],
  ["src/a", "my-Secrets/key", "protected"],
])("%s may not lead to %j: %s", (path, target, reason) => {
  expect(
    findings(path, target)
      .map(({ rule }) => rule)
      .join(),
  ).toContain(reason);
});

test("the glob that protects the destination is named", () => {
  expect(findings("src/a", "secret")).toMatchObject([{ code: "STOP_UNSAFE_PATH", glob: "**/*secret*" }]);
});

test("a link that leads where it always led is not judged, one that was turned is", () => {
  const outside = link("/outside");
  const kept = change("src/a", { before: outside, after: { ...outside, mode: "0755" } });
  expect(findingsOf("unsafe-path", [kept], SCOPE)).toEqual([]);
  const turned = change("src/a", { before: link("b"), after: outside });
  expect(findingsOf("unsafe-path", [turned], SCOPE)).toHaveLength(1);
  const replaced = change("src/a", { after: outside });
  expect(findingsOf("unsafe-path", [replaced], SCOPE)).toHaveLength(1);
});

test("a link that was there and goes away is not judged by its target", () => {
  expect(findingsOf("unsafe-path", [change("src/a", { before: link("/x"), after: null })], SCOPE)).toEqual([]);
});

test("an accepted link stays inside the repository, as ordinary path arithmetic sees it", () => {
  const step = fc.constantFrom("..", ".", "", "a", "b", ".git");
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), fc.nat({ max: 3 }), (steps, depth) => {
      const path = `${"d/".repeat(depth)}link`;
      const target = steps.join("/");
      const accepted = findingsOf("unsafe-path", [added(path, link(target))], { allowed_globs: ["**"] }).length === 0;
      const resolved = posix.normalize(posix.join(posix.dirname(path), target)).replace(/\/$/u, "");
      const inside = !target.startsWith("/") && resolved !== "." && !resolved.startsWith("..");
      const intoGit = resolved.split("/").includes(".git");
      const climbsLate = /[^./][^/]*\/(?:.*\/)?\.\.(?:\/|$)/u.test(target);
      expect(accepted).toBe(inside && target !== "" && !intoGit && !climbsLate);
    }),
    runs(2000),
  );
});
