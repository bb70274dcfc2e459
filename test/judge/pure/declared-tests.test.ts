import { describe, expect, test } from "vitest";
import { findLanguage } from "../../../src/base/language.ts";
import { scanSource } from "../../../src/base/scan-source.ts";
import { findDeclaredTest, listDeclaredTests } from "../../../src/judge/pure/declared-tests.ts";

function read(path: string, text: string) {
  const language = findLanguage(path, text);
  return language === null ? [] : listDeclaredTests(scanSource(text, language), path);
}

const show = (path: string, text: string): readonly string[] =>
  read(path, text).map(
    ({ kind, name, groups, firstLine, lastLine }) =>
      `${firstLine}-${lastLine} ${kind} ${[...groups, name].join(" > ")}`,
  );

/** Title, path, text, and what it declares. */
const TEXTS: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    "calls with a title",
    "a.test.ts",
    'describe("cart", () => {\n  it.skip("is (empty", async () => {\n    expect(1);\n  });\n  test.each([\n    [1, 2],\n  ])("adds %i", (a) => {});\n  it(`names ${kind}`, () => {});\n  xit("later", f);\n});\nif (/a/.test(text)) run("x");\n',
    [
      "1-10 group cart",
      "2-4 test cart > is (empty",
      "5-7 test cart > adds %i",
      "8-8 test cart > names ${kind}",
      "9-9 test cart > later",
    ],
  ],
  [
    "other ways to call",
    "a.test.js",
    'Deno.test({ name: "by object", fn() {} });\nDeno.test(function byFunction() {});\ntest(title, () => {});\nawait t.test("inner", f);\nit.todo("later");\nbench("fast", () => {});\ntest.skipIf(isMac)("not there", () => {});\nfunction test(a) {}\nconst ok = test(value);\n',
    [
      "1-1 test by object",
      "2-2 test byFunction",
      "3-3 test title",
      "4-4 test inner",
      "5-5 test later",
      "6-6 benchmark fast",
      "7-7 test not there",
    ],
  ],
  [
    "functions and classes of Python, with their decorators",
    "test_a.py",
    'class TestA:\n    @mark.parametrize(\n        "a",\n        [1],\n    )\n    @mark.skip\n    def test_b(\n        self,\n    ) -> None:\n        text = """\nno end\n"""\n        assert text\n\n    def helper(self): ...\n\n\nasync def test_c(): pass\n',
    ["1-15 group TestA", "2-13 test TestA > test_b", "18-18 test test_c"],
  ],
  [
    "functions and subtests of Go",
    "a_test.go",
    'func TestA(t *testing.T) {\n\tt.Run("one", func(t *testing.T) {\n\t})\n}\n\nfunc (s *Suite) TestB() {}\nfunc BenchmarkC(b *testing.B) {}\nfunc FuzzD(f *testing.F) {}\nfunc Testable() {}\nfunc help() {}\n',
    ["1-4 test TestA", "2-3 test TestA > one", "6-6 test TestB", "7-7 benchmark BenchmarkC", "8-8 fuzz FuzzD"],
  ],
  [
    "attributes and macros of Rust",
    "src/a.rs",
    'fn plain() {}\n#[cfg(test)]\nmod tests {\n    #[ignore = "slow"]\n    #[tokio::test]\n    async fn adds() {\n        let a = r#"}"#;\n    }\n    #[derive(Debug)]\n    struct S;\n}\nmacro_rules! same {\n    ($name:ident) => { #[test] fn $name() {} };\n}\nsame!(one, 1);\nrgtest!(two, |dir| {\n});\n',
    ["2-11 group tests", "4-8 test tests > adds", "9-10 group tests > S", "15-15 test one", "16-17 test two"],
  ],
  [
    "annotations of Java",
    "ATest.java",
    'class ATest extends Base {\n  @Disabled("later")\n  @ParameterizedTest(name = "{0}")\n  @ValueSource(ints = {1, 2})\n  void adds(int a) throws Exception {\n  }\n\n  @BeforeEach\n  void setUp() {}\n\n  public void testOld() {}\n\n  @Nested\n  class Inner {\n    @Test void deep() {}\n  }\n}\n',
    [
      "1-17 group ATest",
      "2-6 test ATest > adds",
      "11-11 test ATest > testOld",
      "13-16 group ATest > Inner",
      "15-15 test ATest > Inner > deep",
    ],
  ],
  [
    "Kotlin",
    "ATest.kt",
    "class ATest {\n  @Test\n  fun `adds two`() = runTest {\n    go()\n  }\n}\n",
    ["1-6 group ATest", "2-5 test ATest > adds two"],
  ],
  [
    "attributes of C#",
    "ATests.cs",
    'public class ATests\n{\n    [Fact(Skip = "later")]\n    public async Task Adds() => Run(@"c:\\");\n\n    [Theory]\n    [InlineData(1)]\n    public void Other<T>(int a)\n    {\n    }\n\n    [Benchmark]\n    public void Fast() { }\n}\n',
    ["1-14 group ATests", "3-4 test ATests > Adds", "6-10 test ATests > Other", "12-13 benchmark ATests > Fast"],
  ],
  [
    "PHP",
    "ATest.php",
    "final class ATest extends TestCase\n{\n    public function testA(): void\n    {\n        f('http://a');\n    }\n\n    /** @test */\n    public function it_works(): void\n    {\n    }\n\n    #[Test]\n    public function works() {}\n}\ntest('adds', function () {\n});\n",
    [
      "1-15 group ATest",
      "3-6 test ATest > testA",
      "8-11 test ATest > it_works",
      "13-14 test ATest > works",
      "16-17 test adds",
    ],
  ],
  [
    "macros of C++",
    "a_test.cc",
    'TEST(Cart, Adds) {\n  EXPECT_EQ(1, 1);\n}\nTEST_CASE("adds") {\n}\n',
    ["1-3 test Cart, Adds", "4-5 test adds"],
  ],
  [
    "Swift and Dart",
    "ATests.swift",
    "class ATests {\n  func testA() {\n  }\n}\n",
    ["1-4 group ATests", "2-3 test ATests > testA"],
  ],
  [
    "blocks of Ruby",
    "spec/a_spec.rb",
    "RSpec.describe Cart do\n  let(:a) { 1 }\n\n  context 'with one' do\n    it 'adds' do\n      run(<<~RUBY)\n  it 'is text' do\n  end\n      RUBY\n    end\n    it { is_expected.to be }\n  end\nend\n\nclass TestCart < Minitest::Test\n  def test_a\n  end\nend\n",
    [
      "1-13 group Cart",
      "4-12 group Cart > with one",
      "5-10 test Cart > with one > adds",
      "11-11 test Cart > with one > is_expected.to be",
      "15-18 group TestCart",
      "16-17 test TestCart > test_a",
    ],
  ],
  [
    "bats and functions of a shell",
    "a.bats",
    '@test "adds two" {\n  [ 1 ]\n}\ntest_more() {\n  :\n}\nhelp() { :; }\n',
    ["1-3 test adds two", "4-6 test test_more"],
  ],
  ["no language", "a.txt", "it('adds') {}", []],
];

describe("declared tests", () => {
  test.for(TEXTS)("%s", ([, path, text, expected]) => {
    expect(show(path, text)).toEqual(expected);
  });
});

test("the innermost declaration around a place", () => {
  const text = 'describe("a", () => {\n  it("b", () => {\n    skip();\n  });\n  go();\n});\nend();\n';
  const tests = read("a.test.js", text);
  const nameAt = (word: string) => findDeclaredTest(tests, text.indexOf(word))?.name ?? null;
  expect([nameAt("skip"), nameAt("go"), nameAt("end")]).toEqual(["b", "a", null]);
});
