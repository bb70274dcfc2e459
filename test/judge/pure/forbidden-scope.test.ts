import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryChange } from "../../support/arbitrary-evidence.ts";
import { change, findingsOf } from "../../support/evidence.ts";

const FORBIDDEN = { forbidden_globs: ["**/.env*", "**/*secret*"] };

test("a forbidden path is refused even where it is allowed, with the glob that decided", () => {
  expect(findingsOf("forbidden-scope", [change("src/Secrets/key.pem")], FORBIDDEN)).toEqual([
    {
      gate: "forbidden-scope",
      code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
      subject: "src/Secrets/key.pem",
      rule: "The path, or a folder above it, matches a forbidden glob.",
      glob: "**/*secret*",
    },
  ]);
});

test.each(["allow", "report", "forbid"] as const)("an ignored secret stays protected under %s", (ignored) => {
  const changes = [change(".env", { standing: "ignored" })];
  expect(findingsOf("forbidden-scope", changes, { ...FORBIDDEN, ignored })).toHaveLength(1);
});

test("a writable glob beats a forbidden one for ignored paths only", () => {
  const overrides = {
    forbidden_globs: ["**/node_modules/**"],
    ignored_writable_globs: ["node_modules/.cache/**"],
  };
  const path = "node_modules/.cache/x";
  expect(findingsOf("forbidden-scope", [change(path, { standing: "ignored" })], overrides)).toEqual([]);
  expect(findingsOf("forbidden-scope", [change(path)], overrides)).toHaveLength(1);
});

test("a forbidden glob that cannot be read lets nothing pass and says why", () => {
  const [finding] = findingsOf("forbidden-scope", [change("src/a")], { forbidden_globs: ["!src/**"] });
  expect(finding?.rule).toContain("begins with `!`");
});

test("nothing under a forbidden folder gets through, in any case and whatever else changed", () => {
  const name = fc.string({ unit: fc.constantFrom(...Array.from("abcé.-_ \n")), minLength: 1, maxLength: 5 });
  const safe = name.filter((text) => !/^\.+$/u.test(text) && text !== "!" && !/\p{Cc}/u.test(text));
  fc.assert(
    fc.property(safe, fc.tuple(name, fc.boolean()), fc.array(arbitraryChange), (folder, [rest, shout], others) => {
      const path = `${shout ? folder.toUpperCase() : folder}/${rest}`;
      const overrides = { allowed_globs: ["**"], forbidden_globs: [`${folder}/**`] };
      const findings = findingsOf("forbidden-scope", [...others, change(path)], overrides);
      expect(findings.map(({ subject }) => subject)).toContain(path);
    }),
  );
});
