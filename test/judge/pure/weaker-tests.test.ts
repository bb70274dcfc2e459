import { describe, expect, test } from "vitest";
import { weakened } from "../../support/weakening.ts";

/** Of the two rules about tests only. */
function kindsOf(before: Record<string, string>, after: Record<string, string>, task = ""): readonly string[] {
  return weakened(before, after, task)
    .filter(({ rule }) => rule === "deleted_tests" || rule === "hollow_tests")
    .map(({ kind }) => kind);
}

const CODE = { "src/a.js": "export const add = (a, b) => a + b;\n" };
const BROKEN = { "src/a.js": "export const add = (a, b) => a - b;\n" };

/** Where a test of a language stands, the test itself, and how its assertions become worthless. */
const HOLLOWED: readonly (readonly [path: string, test: string, hollow: string, kind: string])[] = [
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  add(1, 2);\n});\n',
    "hollowed_test",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  expect(true).toBe(true);\n});\n',
    "empty_assertion",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  expect(add(1, 2)).toBe(add(1, 2));\n});\n',
    "empty_assertion",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  const sum = add(1, 2);\n  expect(add(1, 2)).toBe(sum);\n});\n',
    "empty_assertion",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  expect(add(1, 2)).toBeDefined();\n});\n',
    "weaker_assertion",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  if (false) {\n    expect(add(1, 2)).toBe(3);\n  }\n});\n',
    "unreached_assertion",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  return;\n  expect(add(1, 2)).toBe(3);\n});\n',
    "unreached_assertion",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n',
    'test("adds", () => {\n  try {\n    expect(add(1, 2)).toBe(3);\n  } catch {\n    console.log("fine");\n  }\n});\n',
    "caught_assertion",
  ],
  [
    "test/a.test.js",
    'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n  assert.equal(add(2, 2), 4);\n});\n',
    'test("adds", () => {\n  assert.equal(add(1, 2), 3);\n});\n',
    "lost_assertion",
  ],
  ["tests/test_a.py", "def test_adds():\n    assert add(1, 2) == 3\n", "def test_adds():\n    pass\n", "hollowed_test"],
  [
    "tests/test_a.py",
    "def test_adds():\n    assert add(1, 2) == 3\n",
    "def test_adds():\n    assert True\n",
    "empty_assertion",
  ],
  [
    "tests/test_a.py",
    "def test_adds():\n    assert add(1, 2) == 3\n",
    "def test_adds():\n    x = add(1, 2)\n    assert x == x\n",
    "empty_assertion",
  ],
  [
    "tests/test_a.py",
    "def test_adds():\n    assert add(1, 2) == 3\n",
    "def test_adds():\n    assert add(1, 2) == 3 or True\n",
    "empty_assertion",
  ],
  [
    "tests/test_a.py",
    "def test_adds():\n    assert add(1, 2) == 3\n",
    "def test_adds():\n    assert add(1, 2) is not None\n",
    "weaker_assertion",
  ],
  [
    "tests/test_a.py",
    "def test_adds():\n    assert add(1, 2) == 3\n",
    "def test_adds():\n    try:\n        assert add(1, 2) == 3\n    except AssertionError:\n        pass\n",
    "caught_assertion",
  ],
  [
    "tests/test_a.py",
    "class T(TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n",
    "class T(TestCase):\n    def test_adds(self):\n        self.assertTrue(True)\n",
    "empty_assertion",
  ],
  [
    "a_test.go",
    'func TestAdd(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    "func TestAdd(t *testing.T) {\n\tadd(1, 2)\n}\n",
    "hollowed_test",
  ],
  [
    "a_test.go",
    "func TestAdd(t *testing.T) {\n\tassert.Equal(t, 3, add(1, 2))\n}\n",
    "func TestAdd(t *testing.T) {\n\tassert.True(t, true)\n}\n",
    "empty_assertion",
  ],
  [
    "src/a.rs",
    "#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n",
    "#[test]\nfn adds() {\n    assert!(true);\n}\n",
    "empty_assertion",
  ],
  [
    "src/a.rs",
    "#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n",
    "#[test]\nfn adds() {\n    let _ = add(1, 2);\n}\n",
    "hollowed_test",
  ],
  [
    "src/test/java/ATest.java",
    "class ATest {\n  @Test\n  void adds() {\n    assertEquals(3, add(1, 2));\n  }\n}\n",
    "class ATest {\n  @Test\n  void adds() {\n    assertTrue(true);\n  }\n}\n",
    "empty_assertion",
  ],
  [
    "src/test/java/ATest.java",
    "class ATest {\n  @Test\n  void adds() {\n    assertThat(add(1, 2)).isEqualTo(3);\n  }\n}\n",
    "class ATest {\n  @Test\n  void adds() {\n    assertThat(add(1, 2)).isNotNull();\n  }\n}\n",
    "weaker_assertion",
  ],
  [
    "A.Tests/ATest.cs",
    "class ATest {\n  [Fact]\n  public void Adds() {\n    Assert.Equal(3, Add(1, 2));\n  }\n}\n",
    "class ATest {\n  [Fact]\n  public void Adds() {\n    Add(1, 2);\n  }\n}\n",
    "hollowed_test",
  ],
  [
    "tests/ATest.php",
    "<?php\nclass ATest {\n  public function testAdds() {\n    $this->assertSame(3, add(1, 2));\n  }\n}\n",
    "<?php\nclass ATest {\n  public function testAdds() {\n    $this->assertTrue(true);\n  }\n}\n",
    "empty_assertion",
  ],
  [
    "spec/a_spec.rb",
    'it "adds" do\n  expect(add(1, 2)).to eq(3)\nend\n',
    'it "adds" do\n  add(1, 2)\nend\n',
    "hollowed_test",
  ],
  [
    "tests/a.bats",
    '@test "adds" {\n  [ "$(add 1 2)" = 3 ]\n  [ "$(add 2 2)" = 4 ]\n}\n',
    '@test "adds" {\n  [ "$(add 1 2)" = 3 ]\n}\n',
    "lost_assertion",
  ],
];

describe("a test that can no longer fail", () => {
  test.each(HOLLOWED)("%s: %s becomes %s", (path, before, after, kind) => {
    expect(kindsOf({ ...CODE, [path]: before }, { ...BROKEN, [path]: after })).toEqual([kind]);
  });
});

const ADDS = 'test("adds", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n});\n';
const SUBTRACTS = 'test("subtracts", () => {\n  expect(sub(2, 1)).toBe(1);\n});\n';
const TESTS = { ...CODE, "test/a.test.js": ADDS + SUBTRACTS };

test("a test that goes while the code stays is held, and so is its file", () => {
  expect(kindsOf(TESTS, { ...BROKEN, "test/a.test.js": SUBTRACTS })).toEqual(["deleted_test"]);
  expect(kindsOf(TESTS, BROKEN)).toEqual(["deleted_test", "deleted_test"]);
  const [found] = weakened(TESTS, { ...BROKEN, "test/a.test.js": SUBTRACTS });
  expect(found).toMatchObject({ default: "hold", line: 1, text: 'test("adds", () => {' });
});

test("a test that only moved, was renamed or joined another one is not gone", () => {
  expect(kindsOf(TESTS, { ...CODE, "test/a.test.js": ADDS, "test/b.test.js": SUBTRACTS })).toEqual([]);
  const renamed = ADDS.replace('"adds"', '"adds two numbers"');
  expect(kindsOf(TESTS, { ...BROKEN, "test/a.test.js": renamed + SUBTRACTS })).toEqual([]);
  const grouped = `describe("all", () => {\n${ADDS}${SUBTRACTS}});\n`;
  expect(kindsOf(TESTS, { ...BROKEN, "test/a.test.js": grouped })).toEqual([]);
  const joined =
    'test("counts", () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(2, 2)).toBe(4);\n  expect(sub(2, 1)).toBe(1);\n});\n';
  expect(kindsOf(TESTS, { ...BROKEN, "test/a.test.js": joined })).toEqual([]);
});

test("a test that moves and can no longer fail is held in its new place", () => {
  const moved = SUBTRACTS.replace("sub(2, 1)).toBe(1)", "true).toBe(true)");
  const after = { ...BROKEN, "test/a.test.js": ADDS, "test/b.test.js": moved };
  expect(kindsOf(TESTS, after)).toEqual(["empty_assertion"]);
});

test("a test that goes with its subject, for others, or alone is a note", () => {
  const without = { "src/a.js": "export const other = 1;\n", "test/a.test.js": SUBTRACTS };
  expect(kindsOf(TESTS, without)).toEqual(["replaced_test"]);
  const others = 'test("is exact", () => {\n  expect(add(0.1, 0.2)).toBeCloseTo(0.3);\n});\n';
  expect(kindsOf(TESTS, { ...BROKEN, "test/a.test.js": others + SUBTRACTS })).toEqual(["replaced_test"]);
  expect(kindsOf(TESTS, { ...CODE, "test/a.test.js": SUBTRACTS })).toEqual(["replaced_test"]);
});

test("a task decides about a change of tests alone", () => {
  const alone = { ...CODE, "test/a.test.js": SUBTRACTS };
  expect(kindsOf(TESTS, alone, "Make the tests of src/a.js pass.")).toEqual(["deleted_test"]);
  expect(kindsOf(TESTS, alone, "Remove the test of adding, which is obsolete.")).toEqual(["replaced_test"]);
});

test("an assertion that others take the place of is not lost", () => {
  const stricter = ADDS.replace("toBe(4)", "toBe(5)");
  expect(kindsOf(TESTS, { ...BROKEN, "test/a.test.js": stricter + SUBTRACTS })).toEqual([]);
  const helper = 'test("adds", () => {\n  checkSums(add);\n});\n';
  expect(kindsOf(TESTS, { ...BROKEN, "test/a.test.js": helper + SUBTRACTS })).toEqual(["fewer_assertions"]);
});

/** Tests that are new, and what is said of them. */
const NEW: readonly (readonly [path: string, text: string, kinds: readonly string[]])[] = [
  ["test/b.test.js", 'test("loads", () => {\n  load();\n});\n', ["unasserted_test"]],
  [
    "test/b.test.js",
    'test("fails", () => {\n  try {\n    run();\n    expect(true).toBe(false);\n  } catch (error) {\n    expect(error.code).toBe(1);\n  }\n});\n',
    [],
  ],
  ["test/b.test.js", 'test("is stable", () => {\n  const first = id();\n  expect(id()).toBe(first);\n});\n', []],
  ["tests/test_b.py", "def test_raises():\n    with pytest.raises(ValueError):\n        load()\n", []],
  ["tests/test_b.py", "def test_true():\n    assert is_open() is True\n", []],
  ["b_test.go", "func TestTrue(t *testing.T) {\n\tassert.True(t, isOpen())\n}\n", []],
  ["spec/b_spec.rb", 'it "is open" do\n  is_expected.to be(true)\nend\n', []],
  ["test/b.test.js", 'test("is empty", () => {\n  expect(1).toBe(1);\n});\n', ["empty_assertion"]],
];

test.each(NEW)("a new test in %s: %s", (path, text, kinds) => {
  expect(kindsOf(CODE, { ...CODE, [path]: text })).toEqual(kinds);
});
