import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, listSecrets } from "../../src/system/redact-secrets.ts";

const VARIABLES = {
  ANTHROPIC_API_KEY: "sk-ant-0123456789",
  GITHUB_TOKEN: "ghp_aaaaaaaa",
  db_password: 'p"ss\\word\n1',
  MY_SECRET: "short",
  HOME: "/home/somebody",
  GIT_CONFIG_KEY_0: "maintenance.auto",
};

/** The text as it is shown, when it comes in pieces of these sizes. */
function shown(text: string, sizes: readonly number[], variables: Record<string, string> = VARIABLES): string {
  const data = Buffer.from(text);
  const { take, rest } = createRedactor(listSecrets(variables));
  const pieces: Buffer[] = [];
  let start = 0;
  for (const size of sizes) {
    pieces.push(Buffer.from(take(data.subarray(start, start + size))));
    start += size;
  }
  return Buffer.concat([...pieces, Buffer.from(take(data.subarray(start))), rest()]).toString();
}

test("values of variables that look secret are replaced, also as JSON, and nothing else is", () => {
  expect(shown("a sk-ant-0123456789 b ghp_aaaaaaaa c short maintenance.auto sk-ant-", [])).toBe(
    "a [redacted] b [redacted] c short maintenance.auto sk-ant-",
  );
  expect(shown(JSON.stringify({ x: VARIABLES.db_password }), [])).toBe('{"x":"[redacted]"}');
  expect(shown("nothing to hide", [], { HOME: "nothing to hide" })).toBe("nothing to hide");
});

test("a secret that begins like another is replaced as a whole", () => {
  const variables = { A_KEY: "12345678", B_KEY: "12345678-and-more" };
  expect(shown("x 12345678-and-more y 12345678-and-less", [], variables)).toBe("x [redacted] y [redacted]-and-less");
});

test("however the text is cut, the same is shown", () => {
  const part = fc.constantFrom("sk-ant-0123456789", "sk-ant-", "ghp_", "ghp_aaaaaaaa", "aaaa", "\n", "é");
  const parts = fc.array(part, { maxLength: 12 });
  fc.assert(
    fc.property(parts, fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 }), (texts, sizes) => {
      const text = texts.join("");
      const { ANTHROPIC_API_KEY: key, GITHUB_TOKEN: token } = VARIABLES;
      expect(shown(text, sizes)).toBe(text.replaceAll(key, "[redacted]").replaceAll(token, "[redacted]"));
    }),
  );
});
