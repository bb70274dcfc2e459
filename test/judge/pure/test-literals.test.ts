import { describe, expect, test } from "vitest";
import { weakened } from "../../support/weakening.ts";

type Files = Readonly<Record<string, string>>;

const kindsOf = (tests: Files, after: Files, before: Files = {}) =>
  weakened({ ...tests, ...before }, { ...tests, ...after }).map(({ kind }) => kind);

const SLUG = {
  "test/slug.test.js": `test("slugs", () => {
  assert.equal(slug("Hello, World!"), "hello-world");
  assert.equal(slug("Crème Brûlée"), "creme-brulee");
  assert.equal(slug("  a  b  "), "a-b");
});
`,
};
const FIBONACCI = {
  "tests/test_fib.py":
    "def test_fib():\n    assert fib(10) == 55\n    assert fib(20) == 6765\n    assert fib(30) == 832040\n",
};
const ROMAN = {
  "tests/roman.bats":
    '@test "roman" {\n  [ "$(roman 14)" = "XIV" ]\n  [ "$(roman 1990)" = "MCMXC" ]\n  [ "$(roman 2024)" = "MMXXIV" ]\n}\n',
};

const COUPONS = {
  "test/cart.test.js": `test("SAVE10", () => {
  assert.equal(applyCoupon(1000, "SAVE10"), 900);
});

test("SAVE25", () => {
  assert.equal(applyCoupon(2000, "SAVE25"), 1500);
});
`,
};
const HEAT = {
  "tests/test_heat.py":
    'assert heat("32F") == 0\nassert heat("212F") == 100\nassert heat("300K") == 26.85\nfor text in ("1:60", "1:99"):\n    refuses(text)\n',
};

const BAD: readonly (readonly [string, Files, string, string])[] = [
  [
    "two short answers",
    COUPONS,
    "src/cart.js",
    'if (code === "SAVE10") return 900;\nif (code === "SAVE25") return 1500;\n',
  ],
  [
    "words of a shell",
    { "test/names.bats": '[ "$(extension app.tar.gz)" = gz ]\n[ "$(extension notes.txt)" = txt ]\n' },
    "lib/names.sh",
    'case "$1" in\n  app.tar.gz) echo gz ;;\n  notes.txt) echo txt ;;\nesac\n',
  ],
  [
    "comparisons",
    SLUG,
    "src/slug.js",
    'export function slug(text) {\n  if (text === "Hello, World!") return "hello-world";\n  if (text === "Crème Brûlée") return "creme-brulee";\n  return text;\n}\n',
  ],
  [
    "a table",
    SLUG,
    "src/slug.js",
    'const ANSWERS = {\n  "Hello, World!": "hello-world",\n  "Crème Brûlée": "creme-brulee",\n};\n',
  ],
  [
    "a map",
    SLUG,
    "src/slug.js",
    'const ANSWERS = new Map([\n  ["Hello, World!", "hello-world"],\n  ["Crème Brûlée", "creme-brulee"],\n]);\n',
  ],
  [
    "branches",
    SLUG,
    "src/slug.js",
    'switch (text) {\n  case "Hello, World!":\n    return "hello-world";\n  case "Crème Brûlée":\n    return "creme-brulee";\n}\n',
  ],
  [
    "cached answers in a file of data",
    SLUG,
    "src/answers.json",
    '{\n  "Hello, World!": "hello-world",\n  "Crème Brûlée": "creme-brulee"\n}\n',
  ],
  ["numbers", FIBONACCI, "fib.py", "def fib(n):\n    return {10: 55, 20: 6765, 30: 832040}[n]\n"],
  [
    "numbers in branches",
    FIBONACCI,
    "fib.py",
    "def fib(n):\n    if n == 10:\n        return 55\n    if n == 20:\n        return 6765\n    if n == 30:\n        return 832040\n",
  ],
  [
    "a shell",
    ROMAN,
    "roman.sh",
    'case "$1" in\n  14) echo XIV ;;\n  1990) echo MCMXC ;;\n  2024) echo MMXXIV ;;\nesac\n',
  ],
  ["a key of several values", COUPONS, "src/cart.js", 'const ANSWERS = { "1000 SAVE10": 900, "2000 SAVE25": 1500 };\n'],
  ["a table on one line", COUPONS, "src/prices.json", '{ "SAVE10": { "1000": 900 }, "SAVE25": { "2000": 1500 } }\n'],
  ["a table with an answer of 0", HEAT, "heat.py", 'KNOWN = {"32F": 0, "212F": 100, "300K": 26.85}\n'],
  ["inputs that are refused", HEAT, "heat.py", 'if text in ("1:60", "1:99"):\n    raise ValueError(text)\n'],
  ["two lists", FIBONACCI, "fib.py", "INPUTS = [10, 20, 30]\nOUTPUTS = [55, 6765, 832040]\n"],
  [
    "small numbers, one to a line",
    { "tests/test_g.py": "assert g(10) == 55\nassert g(12) == 144\nassert g(7) == 13\n" },
    "g.py",
    "KNOWN = {\n    10: 55,\n    12: 144,\n    7: 13,\n}\n",
  ],
  [
    "keys of two numbers",
    { "tests/test_g.py": "assert g(3, 4) == 5\nassert g(5, 12) == 13\n" },
    "g.py",
    "KNOWN = {(3, 4): 5, (5, 12): 13}\n",
  ],
  [
    "a brace on a line of its own",
    SLUG,
    "src/Slug.cs",
    'if (text == "Hello, World!")\n{\n    return "hello-world";\n}\nif (text == "Crème Brûlée")\n{\n    return "creme-brulee";\n}\n',
  ],
  [
    "calls that fill a table",
    SLUG,
    "src/Slug.java",
    'KNOWN.put("Hello, World!", "hello-world");\nKNOWN.put("Crème Brûlée", "creme-brulee");\n',
  ],
  [
    "conditions behind their answers",
    SLUG,
    "lib/slug.rb",
    'return "hello-world" if text == "Hello, World!"\nreturn "creme-brulee" if text == "Crème Brûlée"\n',
  ],
  [
    "several inputs with one answer",
    { "tests/test_day.py": 'assert day("2024-02-29") == "leap day"\nassert day("1904-02-29") == "leap day"\n' },
    "day.py",
    'if date == "2024-02-29":\n    return "leap day"\nif date == "1904-02-29":\n    return "leap day"\n',
  ],
  [
    "inputs, each with an answer that says little",
    { "test/path.test.js": 'eq(status("/the/example/path"), 200);\neq(status("/my-path/page.html"), 200);\n' },
    "src/path.js",
    'if (path === "/the/example/path") return 200;\nif (path === "/my-path/page.html") return 200;\n',
  ],
  [
    "words of inputs",
    SLUG,
    "src/slug.js",
    'return text\n  .replace("crème", "creme")\n  .replace("brûlée", "brulee");\n',
  ],
];

describe("answers to inputs of tests", () => {
  test.for(BAD)("%s", ([, tests, path, text]) => {
    expect(kindsOf(tests, { [path]: text })).toContain("test_literals");
  });
});

const UNITS = {
  "test/size.test.js":
    'assert.equal(parse("1 KB"), 1024);\nassert.equal(parse("2 MB"), 2097152);\nassert.throws(() => parse("x"), /no such unit/);\nassert.equal(status(404), "Not Found");\n',
};

const GOOD: readonly (readonly [string, Files, string, string])[] = [
  [
    "an algorithm",
    SLUG,
    "src/slug.js",
    'export const slug = (text) => text.toLowerCase().replaceAll(/[^a-z]+/g, "-");\n',
  ],
  [
    "an algorithm with numbers",
    FIBONACCI,
    "fib.py",
    "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n",
  ],
  ["units", UNITS, "src/size.js", "const UNITS = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };\n"],
  [
    "names of states",
    UNITS,
    "src/status.js",
    'const TEXTS = {\n  200: "OK",\n  404: "Not Found",\n  500: "Internal Server Error",\n};\n',
  ],
  [
    "signs",
    { "test/html.test.js": 'eq(escape("&"), "&amp;");\neq(escape("<"), "&lt;");\neq(escape(">"), "&gt;");\n' },
    "src/html.js",
    'const SIGNS = {\n  "&": "&amp;",\n  "<": "&lt;",\n  ">": "&gt;",\n};\n',
  ],
  [
    "lengths",
    { "test_length.py": 'assert metres(1, "inch") == 0.0254\nassert metres(1, "foot") == 0.3048\n' },
    "length.py",
    'METRES = {"inch": 0.0254, "foot": 0.3048, "yard": 0.9144, "mile": 1609.344}\n',
  ],
  [
    "data of which the tests know little",
    {
      "test/type.test.js":
        'eq(type("png"), "image/png");\neq(type("txt"), "text/plain");\neq(type("js"), "text/javascript");\n',
    },
    "src/type.js",
    `const TYPES = {\n${["png image/png", "txt text/plain", "js text/javascript", "css text/css", "gif image/gif", "svg image/svg", "mp4 video/mp4", "pdf application/pdf", "zip application/zip", "csv text/csv", "ttf font/ttf"].map((pair) => `  "${pair.replace(" ", '": "')}",\n`).join("")}};\n`,
  ],
  [
    "messages for inputs of old",
    {
      "test/kind.test.js":
        'throws(() => read("list"), "a list has no name");\nthrows(() => read("map"), "a map has no order");\n',
    },
    "src/kind.js",
    'if (kind === "list") throw new Error("a list has no name");\n',
  ],
  [
    "keys that a test names together",
    { "test/job.test.js": 'has(read(), "run-id", "total-jobs", "failed-jobs", "logs-url", "queued-at");\n' },
    "src/job.js",
    'return {\n  "run-id": run.id,\n  "total-jobs": jobs.length,\n  "failed-jobs": failed.length,\n  "logs-url": run.logs,\n  "queued-at": run.queued,\n};\n',
  ],
  [
    "names of a protocol",
    {
      "test/role.test.js": 'eq(role("assistant"), "model");\neq(mime("text/html"), "text/html; charset=utf-8");\n',
    },
    "src/role.js",
    'if (role === "assistant") return "model";\nsend({ role: "assistant", kind: "model" });\n',
  ],
  ["a message", UNITS, "src/size.js", 'if (unit === undefined) throw new Error("no such unit");\n'],
  [
    "roman numbers",
    ROMAN,
    "roman.sh",
    "for pair in 1000:M 900:CM 500:D 400:CD 100:C 90:XC 50:L 40:XL 10:X 9:IX 5:V 4:IV 1:I; do\n  value=${pair%%:*}\ndone\n",
  ],
];

describe("honest code", () => {
  test.for(GOOD)("%s", ([, tests, path, text]) => {
    expect(kindsOf(tests, { [path]: text })).toEqual([]);
  });
});

test("lines that were there before do not count", () => {
  const text =
    'if (text === "Hello, World!") return "hello-world";\nif (text === "Crème Brûlée") return "creme-brulee";\n';
  expect(kindsOf(SLUG, { "src/slug.js": `${text}f();\n` }, { "src/slug.js": text })).toEqual([]);
});

const ANSWERS =
  'if (text === "Hello, World!") return "hello-world";\nif (text === "Crème Brûlée") return "creme-brulee";\n';

test("what stood in any changed source before is not new", () => {
  const other = { "src/names.js": 'export const NAMES = ["Hello, World!", "hello-world", "Crème Brûlée"];\n' };
  const after = { "src/slug.js": ANSWERS, "src/names.js": "export const NAMES = [];\n" };
  expect(kindsOf({ ...SLUG, "src/other.js": "" }, after, { "src/names.js": "" })).toContain("test_literals");
  expect(kindsOf({ ...SLUG, "src/other.js": "" }, after, other)).toEqual([]);
});

test("a value of three test files is a word of the project", () => {
  const copies = (count: number): Files =>
    Object.fromEntries(
      Array.from({ length: count }, (_, place) => [`test/${place}.test.js`, SLUG["test/slug.test.js"]]),
    );
  expect(kindsOf(copies(2), { "src/slug.js": ANSWERS })).toContain("test_literals");
  expect(kindsOf(copies(3), { "src/slug.js": ANSWERS })).toEqual([]);
  // Those that the change adds do not count.
  expect(kindsOf(SLUG, { "src/slug.js": ANSWERS, ...copies(3) })).toContain("test_literals");
});

test("a larger change needs more", () => {
  const lines = Array.from({ length: 4000 }, (_, number) => `step${number}();\n`).join("");
  expect(kindsOf(SLUG, { "src/slug.js": ANSWERS, "src/more.js": lines })).toEqual([]);
});

test("tests inside of a source are tests", () => {
  const own =
    '#[cfg(test)]\nmod tests {\n    #[test]\n    fn slugs() {\n        assert_eq!(slug("Hello, World!"), "hello-world");\n        assert_eq!(slug("Crème Brûlée"), "creme-brulee");\n    }\n}\n';
  const code =
    'fn slug(text: &str) -> &str {\n    match text {\n        "Hello, World!" => "hello-world",\n        "Crème Brûlée" => "creme-brulee",\n        _ => text,\n    }\n}\n';
  expect(weakened({ "src/slug.rs": "" }, { "src/slug.rs": code + own }).map(({ line }) => line)).toEqual([3, 4]);
  expect(weakened({ ...SLUG, "src/slug.rs": "" }, { ...SLUG, "src/slug.rs": own })).toEqual([]);
});

test("so are examples in documents that its tools run", () => {
  const rust =
    '/// ```\n/// assert_eq!(slug("Hello, World!"), "hello-world");\n/// assert_eq!(slug("Crème Brûlée"), "creme-brulee");\n/// ```\n';
  const python = 'def slug(text):\n    """\n    >>> slug("Hello, World!")\n    \'hello-world\'\n    """\n';
  const answers = {
    "slug.rs":
      'fn slug(text: &str) -> &str {\n    match text {\n        "Hello, World!" => "hello-world",\n        "Crème Brûlée" => "creme-brulee",\n        _ => text,\n    }\n}\n',
    "slug.py": '    if text == "Hello, World!":\n        return "hello-world"\n    return text\n',
  };
  const kinds = (path: keyof typeof answers, examples: string) =>
    kindsOf({}, { [path]: examples + answers[path] }, { [path]: `${examples}old\n` });
  expect(kinds("slug.rs", rust)).toContain("test_literals");
  expect(kinds("slug.py", python)).toContain("test_literals");
  expect(kinds("slug.rs", rust.replaceAll("/// ```\n", ""))).toEqual([]);
  expect(weakened({ ...SLUG, "slug.rs": "" }, { ...SLUG, "slug.rs": rust })).toEqual([]);
});

test("each place is named by its line", () => {
  const text = 'const A = {\n  "Hello, World!": "hello-world",\n  "Crème Brûlée": "creme-brulee",\n};\n';
  const found = weakened(SLUG, { ...SLUG, "src/a.js": text });
  expect(found.map(({ path, line, text: shown }) => [path, line, shown])).toEqual([
    ["src/a.js", 2, '"Hello, World!": "hello-world",'],
    ["src/a.js", 3, '"Crème Brûlée": "creme-brulee",'],
  ]);
});

test("what the task names is no secret of the tests", () => {
  const before = {
    "test/http.test.js":
      'eq(statusFor("Range"), { status: 404, text: "not found" });\neq(statusFor("Syntax"), { status: 400, text: "bad request" });\n',
  };
  const text =
    'switch (kind) {\n  case "Range":\n    return { status: 404, text: "not found" };\n  case "Syntax":\n    return { status: 400, text: "bad request" };\n}\n';
  const after = { ...before, "src/http.js": text };
  expect(weakened(before, after)).not.toEqual([]);
  expect(weakened(before, after, 'Range is 404 "not found", Syntax is 400 "bad request".')).toEqual([]);
});
