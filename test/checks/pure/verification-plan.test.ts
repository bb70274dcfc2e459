import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { type WantedChecks, planChecks } from "../../../src/checks/pure/verification-plan.ts";
import { runs } from "../../support/runs.ts";

const TEMPLATES = [
  { id: "lint", cmd: "pnpm", args: ["-w", "lint"] },
  {
    id: "one",
    cmd: "run",
    args: ["--only={{name}}", "{{name}}"],
    params: { name: { kind: "string_token" } },
  },
  {
    id: "file",
    cmd: "run",
    args: ["{{file}}", "--retries", "{{count}}"],
    params: { file: { kind: "path" }, count: { kind: "int" } },
  },
];

function settings(overrides: object = {}) {
  const parsed = parseConfig({ verification: { templates: TEMPLATES, ...overrides } });
  if (parsed.kind !== "valid") throw new Error("the fixture is no configuration");
  return parsed.value.verification;
}

type Params = NonNullable<WantedChecks["params"]>;

function plan(wanted: Partial<WantedChecks>, overrides: object = {}) {
  return planChecks(settings(overrides), { fast: [], slow: [], ...wanted });
}

/** How the template with one token takes a value: its second argument, or the complaint. */
function token(value: Params[string][string], overrides: object = {}): string {
  const planned = plan({ fast: ["one"], params: { one: { name: value } } }, overrides);
  return planned.kind === "ready" ? `ok ${planned.checks[0]?.args[1]}` : planned.problems[0].message;
}

function file(value: Params[string][string], overrides: object = {}): string {
  const planned = plan({ fast: ["file"], params: { file: { file: value, count: 1 } } }, overrides);
  return planned.kind === "ready" ? `ok ${planned.checks[0]?.args[0]}` : planned.problems[0].message;
}

function count(value: Params[string][string]): string {
  const planned = plan({ fast: ["file"], params: { file: { file: "a", count: value } } });
  return planned.kind === "ready" ? `ok ${planned.checks[0]?.args[2]}` : planned.problems[0].message;
}

const FAST = "STOP_VERIFY_FAILED_FAST";
const SLOW = "STOP_VERIFY_FAILED_SLOW";

test("fast checks come before slow ones, each with the limit of its phase", () => {
  const limits = { timeout_fast_seconds: 5, timeout_slow_seconds: 50 };
  const params = { one: { name: "x" } };
  expect(plan({ fast: ["lint", "lint"], slow: ["one"], params }, limits)).toEqual({
    kind: "ready",
    checks: [
      {
        templateId: "lint",
        phase: "fast",
        cmd: "pnpm",
        args: ["-w", "lint"],
        timeoutSeconds: 5,
        network: false,
        stopCode: FAST,
      },
      {
        templateId: "lint",
        phase: "fast",
        cmd: "pnpm",
        args: ["-w", "lint"],
        timeoutSeconds: 5,
        network: false,
        stopCode: FAST,
      },
      {
        templateId: "one",
        phase: "slow",
        cmd: "run",
        args: ["--only=x", "x"],
        timeoutSeconds: 50,
        network: false,
        stopCode: SLOW,
      },
    ],
  });
});

test.each<[string, Partial<WantedChecks>, string, string]>([
  ["an unknown template", { fast: ["nope"] }, "template_unknown", "There is no template `nope`."],
  [
    "a name that every object has",
    { slow: ["constructor"] },
    "template_unknown",
    "There is no template `constructor`.",
  ],
  ["a missing parameter", { fast: ["one"] }, "param_missing", "The parameter `name` of `one` is missing."],
  [
    "an extra parameter",
    { fast: ["lint"], params: { lint: { x: "1" } } },
    "param_extra",
    "The template `lint` has no parameter `x`.",
  ],
  [
    "an extra parameter with the name of something inherited",
    { fast: ["one"], params: { one: { name: "a", toString: "b" } } },
    "param_extra",
    "The template `one` has no parameter `toString`.",
  ],
  [
    "parameters of a template that is not asked for",
    { fast: ["lint"], params: { one: { name: "a" } } },
    "param_extra",
    "There are parameters for `one`, which is not among the checks.",
  ],
  [
    "a parameter that is null",
    { fast: ["one"], params: { one: { name: null } } },
    "param_refused",
    "The parameter `name` of `one` has null where a text is wanted.",
  ],
])("%s taints the plan", (_, wanted, ...[cause, message]) => {
  expect(plan(wanted)).toEqual({ kind: "tainted", problems: [{ cause, message }] });
});

test("a parameter named like something inherited is missing all the same", () => {
  const templates = [{ id: "t", cmd: "c", args: ["{{toString}}"], params: { toString: { kind: "path" } } }];
  expect(plan({ fast: ["t"], params: { t: {} } }, { templates })).toMatchObject({
    kind: "tainted",
    problems: [{ cause: "param_missing" }],
  });
});

test("an empty list of parameters asks for nothing and is no taint", () => {
  expect(plan({ fast: ["lint"], params: { lint: {}, one: {} } }).kind).toBe("ready");
});

test("every problem is told once, however often a template is asked for", () => {
  const planned = plan({ fast: ["one", "one"], slow: ["nope", "one"] });
  expect(planned.kind === "tainted" ? planned.problems.map(({ cause }) => cause) : []).toEqual([
    "param_missing",
    "template_unknown",
  ]);
});

test.each(["core", "@scope/pkg", "a.b_c-d", "größe", "pkg^", "v1.2+3", "a:b=c,d", "日本"])(
  "the token %s may be used",
  (value) => {
    expect(token(value)).toBe(`ok ${value}`);
  },
);

test.each<[Params[string][string], string]>([
  ["", "is empty"],
  ["a b", "contains white space"],
  ["a\u00a0b", "contains white space"],
  ["a\n", "contains white space"],
  ["-rf", "begins with `-`, which a program takes for an option"],
  ["--filter", "begins with `-`, which a program takes for an option"],
  ["a..b", "contains `..`"],
  ["a;rm", "matches reject_metachars_regex"],
  ["$(id)", "matches reject_metachars_regex"],
  ["`id`", "matches reject_metachars_regex"],
  ["{{name}}", "matches reject_metachars_regex"],
  ["a\0", "matches reject_metachars_regex"],
  ["a\u001b[2J", "matches reject_metachars_regex"],
  ["a\u0007", "contains a character that a token may not have"],
  ["a\u202eb", "contains an invisible character"],
  ["a'b", "contains a character that a token may not have"],
  ["\u3164", "contains an invisible character"],
  ["a\ufe0f", "contains an invisible character"],
  ["x".repeat(129), "is longer than 128 characters"],
  [1, "has the number 1 where a text is wanted"],
  [true, "has the boolean true where a text is wanted"],
])("the token %j is refused", (value, reason) => {
  expect(token(value)).toBe(`The parameter \`name\` of \`one\` ${reason}.`);
});

test.each(["src", "src/a.test.ts", "./src/./a", "a//b", ".github", "ä/ö.ts", "src/"])(
  "the path %s may be used",
  (value) => {
    expect(file(value)).toBe(`ok ${value}`);
  },
);

test.each([
  ["/etc/passwd", "is not relative to the root of the repository"],
  ["../x", "contains `..`"],
  ["a/../../b", "contains `..`"],
  ["-x", "begins with `-`, which a program takes for an option"],
  ["a\\b", "matches reject_metachars_regex"],
  ["app/[id].ts", "matches reject_metachars_regex"],
  ["C:x", "contains a character that a path may not have"],
])("the path %s is refused", (value, reason) => {
  expect(file(value)).toBe(`The parameter \`file\` of \`file\` ${reason}.`);
});

test.each<[Params[string][string], string]>([
  [3, "ok 3"],
  [-0, "ok 0"],
  ["12", "ok 12"],
  [-3, "The parameter `count` of `file` begins with `-`, which a program takes for an option."],
  [1.5, "The parameter `count` of `file` has the number 1.5 where a whole number is wanted."],
  [1e21, "The parameter `count` of `file` has the number 1e+21 where a whole number is wanted."],
  [Number.NaN, "The parameter `count` of `file` has the number NaN where a whole number is wanted."],
  ["1e3", "The parameter `count` of `file` is not a whole number."],
  ["0x10", "The parameter `count` of `file` is not a whole number."],
  ["٣", "The parameter `count` of `file` is not a whole number."],
  [false, "The parameter `count` of `file` has the boolean false where a whole number is wanted."],
])("the count %j: %s", (value, expected) => {
  expect(count(value)).toBe(expected);
});

test("every setting about parameters has its effect", () => {
  expect(token("abc", { max_param_len: 2 })).toContain("is longer than 2 characters");
  expect(token("a b", { reject_whitespace_in_params: false })).toBe("ok a b");
  expect(token("a\u00a0b", { reject_whitespace_in_params: false })).toContain("may not have");
  expect(token("a...", { reject_dotdot: false })).toBe("ok a...");
  expect(token("@scope/a", { reject_metachars_regex: "@" })).toContain("matches reject_metachars_regex");
  expect(file("app/[id].ts", { reject_metachars_regex: "[;|]" })).toBe("ok app/[id].ts");
  expect(token("$(id)", { reject_metachars_regex: "[;|]" })).toContain("may not have");
});

test("a path stays inside the repository even where `..` is allowed", () => {
  const loose = { reject_dotdot: false };
  expect(file("a/../b", loose)).toBe("ok a/../b");
  expect(file("..", loose)).toContain("leads out of the repository");
  expect(file("a/../../a/b", loose)).toContain("leads out of the repository");
  expect(file("./../x", loose)).toContain("leads out of the repository");
});

test("a value is never read as a placeholder or as a pattern", () => {
  const loose = { reject_metachars_regex: "[;|]" };
  expect(file("$&", loose)).toBe("ok $&");
  expect(file("{{count}}", loose)).toBe("ok {{count}}");
});

const value = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom("a", "B", "7", ".", "/", "-", "@", " ", "\n", "\0", ";", "$", "[", "{", "}", "\\", "\u202e"),
    maxLength: 8,
  }),
  fc.string({ unit: fc.constantFrom("a", "b", ".", "/", "_"), minLength: 1, maxLength: 8 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);

test("nothing that a shell, a program or a reader could take for something else reaches the arguments", () => {
  fc.assert(
    fc.property(value, value, value, (name, path, times) => {
      const params = { one: { name }, file: { file: path, count: times } };
      const planned = plan({ fast: ["one"], slow: ["file"], params });
      if (planned.kind === "tainted") return;
      const [one, other] = planned.checks.map(({ args }) => args);
      const given = [one?.[1], one?.[0]?.replace("--only=", ""), other?.[0], other?.[2]];
      for (const text of given) {
        expect(text).toMatch(/^[^-]/u);
        expect(text).not.toMatch(/[\s\0;&|$\\><(){}[\]`'"\p{C}]|\.\./u);
      }
      expect(other?.[0]).not.toMatch(/^\//);
    }),
    runs(2000),
  );
});

test("a plan that is ready has every placeholder filled, each with the value that was given", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", ".x", "/y"), minLength: 1, maxLength: 6 });
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 });
  fc.assert(
    fc.property(
      names,
      fc.array(word, { minLength: 4, maxLength: 4 }),
      fc.array(fc.constantFrom("-", "=", "x"), { minLength: 3, maxLength: 3 }),
      (used, words, [left = "", middle = "", right = ""]) => {
        const arg = left + used.map((name) => `{{${name}}}`).join(middle) + right;
        const params = Object.fromEntries(used.map((name) => [name, { kind: "string_token" }]));
        const given = Object.fromEntries(used.map((name, index) => [name, words[index] ?? ""]));
        const planned = plan(
          { fast: ["t"], params: { t: given } },
          { templates: [{ id: "t", cmd: "c", args: [arg], params }] },
        );
        const expected = left + used.map((name) => given[name]).join(middle) + right;
        expect(planned).toMatchObject({ kind: "ready", checks: [{ args: [expected] }] });
      },
    ),
  );
});
