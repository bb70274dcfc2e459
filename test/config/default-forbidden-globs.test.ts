import { expect, test } from "vitest";
import * as v from "valibot";
import { Scope } from "../../src/config/config.ts";
import { compileForbidden } from "../../src/base/globs.ts";

test("the default forbidden globs are about secrets and not about words", () => {
  const scope = v.parse(Scope, {});
  const forbids = compileForbidden(scope.default_forbidden_globs);
  const secrets = [".env.local", "a/server.pem", "id_rsa", ".npmrc", "config/secrets.json", "home/.ssh/config"];
  expect(secrets.filter((path) => forbids(path) === null)).toEqual([]);
  const words = ["src/tokenizer.js", "src/secretary.ts", "docs/tokens.md", "src/auth/token.ts", "src/keys.ts"];
  expect(words.filter((path) => forbids(path) !== null)).toEqual([]);
});
