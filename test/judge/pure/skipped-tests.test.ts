import { describe, expect, test } from "vitest";
import { weakened } from "../../support/weakening.ts";

const skips = (path: string, before: string | null, after: string): readonly string[] =>
  weakened(before === null ? {} : { [path]: before }, { [path]: after })
    .filter(({ kind }) => kind.startsWith("skipped"))
    .map(({ kind, line }) => `${line} ${kind}`);

const LONG = "    step();\n".repeat(200);

/** Title, path, before, after, and the skips of old tests with their lines. */
const OLD: readonly (readonly [string, string, string, string])[] = [
  [
    "a reason of JUnit",
    "src/test/ATest.java",
    "class ATest {\n  @Test void a() {}\n}\n",
    'class ATest {\n  @Disabled("flaky")\n  @Test void a() {}\n}\n',
  ],
  [
    "a reason of JUnit 4",
    "src/test/ATest.java",
    "class ATest {\n  @Test public void a() {}\n}\n",
    'class ATest {\n  @Ignore("flaky")\n  @Test public void a() {}\n}\n',
  ],
  [
    "an assumption",
    "src/test/ATest.java",
    "class ATest {\n  @Test void a() {\n    f();\n  }\n}\n",
    'class ATest {\n  @Test void a() {\n    Assumptions.assumeTrue(ready, "later");\n    f();\n  }\n}\n',
  ],
  [
    "a whole class",
    "src/test/ATest.java",
    "class ATest {\n  @Test void a() {}\n}\n",
    '@Disabled("flaky")\nclass ATest {\n  @Test void a() {}\n}\n',
  ],
  [
    "a reason of xUnit",
    "tests/ATests.cs",
    "class ATests {\n  [Fact]\n  public void A() {}\n}\n",
    'class ATests {\n  [Fact(DisplayName = "a", Skip = "flaky")]\n  public void A() {}\n}\n',
  ],
  [
    "a reason of NUnit",
    "tests/ATests.cs",
    "class ATests {\n  [Test]\n  public void A() {}\n}\n",
    'class ATests {\n  [Test, Ignore("flaky")]\n  public void A() {}\n}\n',
  ],
  [
    "PHPUnit",
    "tests/ATest.php",
    "class ATest {\n  public function testA() {\n  }\n}\n",
    "class ATest {\n  public function testA() {\n    $this->markTestSkipped('flaky');\n  }\n}\n",
  ],
  [
    "far from the name of its test",
    "a_test.go",
    `func TestA(t *testing.T) {\n${LONG}}\n`,
    `func TestA(t *testing.T) {\n${LONG}\tt.Skip("later")\n}\n`,
  ],
  [
    "a benchmark",
    "a_test.go",
    "func BenchmarkA(b *testing.B) {\n}\n",
    "func BenchmarkA(b *testing.B) {\n\tb.Skip()\n}\n",
  ],
  [
    "a block of Ruby",
    "spec/a_spec.rb",
    "describe A do\n  it 'adds' do\n    go\n  end\nend\n",
    "describe A do\n  it 'adds' do\n    skip 'adds is flaky'\n    go\n  end\nend\n",
  ],
  [
    "metadata of Ruby",
    "spec/a_spec.rb",
    "describe A do\n  it 'adds' do\n    go\n  end\nend\n",
    "describe A do\n  it 'adds', skip: 'flaky' do\n    go\n  end\nend\n",
  ],
  [
    "an option",
    "test/a.test.js",
    'test("adds", () => {});\n',
    'test("adds", { timeout: 1, skip: "flaky" }, () => {});\n',
  ],
  [
    "a new group around an old test",
    "test/a.test.js",
    'it("adds", f);\n',
    'describe.skip("later", () => {\n  it("adds", f);\n});\n',
  ],
  [
    "what a runner calls before old tests",
    "tests/test_a.py",
    "class TestA:\n    def test_a(self): pass\n",
    "class TestA:\n    def setUp(self):\n        self.skipTest('x')\n\n    def test_a(self): pass\n",
  ],
  [
    "a new helper that an old test calls",
    "a_test.go",
    "func TestA(t *testing.T) {\n}\n",
    "func later(t *testing.T) {\n\tt.Skip()\n}\n\nfunc TestA(t *testing.T) {\n\tlater(t)\n}\n",
  ],
  [
    "an old helper",
    "a_test.go",
    "func later(t *testing.T) {\n}\n",
    "func later(t *testing.T) {\n\tt.Skip()\n}\n\nfunc TestA(t *testing.T) {\n\tlater(t)\n}\n",
  ],
  [
    "a mark that an old test gets",
    "tests/test_a.py",
    "def test_a(): go()\n",
    "later = pytest.mark.skipif(OLD, reason='old')\n\n\n@later\ndef test_a(): go()\n",
  ],
  [
    "a second one of the same name",
    "tests/test_a.py",
    "def test_a(): go()\n",
    "def test_a(): go()\n\n\n@skip\ndef test_a(): go()\n",
  ],
];

const NEW: readonly (readonly [string, string, string | null, string])[] = [
  [
    "a title that an old test mentions",
    "test/a.test.js",
    'it("adds", () => use("subtracts"));\n',
    'it("adds", () => use("subtracts"));\nit.skip("subtracts", f);\n',
  ],
  [
    "far from the name of its test",
    "a_test.go",
    "package a\n",
    `package a\n\nfunc TestA(t *testing.T) {\n${LONG}\tt.Skip("later")\n}\n`,
  ],
  ["a benchmark", "a_test.go", "package a\n", "package a\n\nfunc BenchmarkA(b *testing.B) {\n\tb.Skip()\n}\n"],
  [
    "a fuzz target",
    "a_test.go",
    "package a\n",
    "package a\n\nfunc FuzzA(f *testing.F) {\n\tf.Fuzz(func(t *testing.T) {\n\t\tt.Skip()\n\t})\n}\n",
  ],
  [
    "a block of Ruby",
    "spec/a_spec.rb",
    "describe A do\n  it 'adds' do\n  end\nend\n",
    "describe A do\n  it 'adds' do\n  end\n\n  it 'subtracts' do\n    skip 'adds no value'\n  end\nend\n",
  ],
  ["a helper in a new file", "a_test.go", null, "package a\n\nfunc later(t *testing.T) {\n\tt.Skip()\n}\n"],
  [
    "a mark that only new tests have",
    "tests/test_a.py",
    "def test_a(): go()\n",
    "later = pytest.mark.skipif(OLD, reason='old')\n\n\ndef test_a(): go()\n\n\n@later\ndef test_b(): go()\n",
  ],
  [
    "a new helper that only new tests call",
    "a_test.go",
    "func TestA(t *testing.T) {\n}\n",
    "func TestA(t *testing.T) {\n}\n\nfunc later(t *testing.T) {\n\tt.Skip()\n}\n\nfunc TestB(t *testing.T) {\n\tlater(t)\n}\n",
  ],
];

describe("a skip of an old test", () => {
  test.for(OLD)("%s", ([, path, before, after]) => {
    expect(skips(path, before, after)).toMatchObject([expect.stringMatching(/ skipped_test$/u)]);
  });
});

describe("a skip of a new test", () => {
  test.for(NEW)("%s", ([, path, before, after]) => {
    expect(skips(path, before, after)).toMatchObject([expect.stringMatching(/ skipped_new_test$/u)]);
  });
});

describe("no skip", () => {
  test.for<readonly [string, string, string]>([
    ["an argument of another call", "test/a.test.js", 'test("adds", () => {\n  list({ skip: 10, limit: 5 });\n});\n'],
    ["an entry of a table", "test/a.test.js", 'test.each([{ skip: 10 }])("adds", () => {});\n'],
    ["an option of no test", "test/a.test.js", "query({ skip: 10 });\n"],
    ["a word of the code", "tests/ATests.cs", "class A {\n  void F() { list.Skip(1); }\n}\n"],
  ])("%s", ([, path, after]) => {
    expect(skips(path, 'test("adds", () => {});\n', after)).toEqual([]);
  });
});

test("a test that moved to another file is old there", () => {
  const text = 'test("adds", f);\n';
  const found = weakened({ "test/a.test.js": text }, { "test/b.test.js": text.replace("test(", "test.skip(") });
  expect(found.map(({ kind }) => kind)).toEqual(["skipped_test"]);
});

const skipped = (...names: readonly string[]): string =>
  ["a", "b"]
    .map((name) => `${names.includes(name) ? `@skip("${names.join(" ")}")\n` : ""}def test_${name}(): go()\n\n`)
    .join("");

test("a skip is known by its test: another reason is nothing new, another test is", () => {
  expect(skips("tests/test_a.py", skipped("a"), skipped("a").replace('skip("a")', 'skip("still")'))).toEqual([]);
  expect(skips("tests/test_a.py", skipped("a"), skipped("b"))).toEqual(["3 skipped_test"]);
});
