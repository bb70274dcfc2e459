import fc from "fast-check";
import { expect, test } from "vitest";
import { makeClaudePermissions, narrowTools } from "../../src/agents/claude-permissions.ts";

const TOOLS = "Read,Edit,Write,Glob,Grep,Bash";

function permissionsOf(allowed: readonly string[], more: { tools?: string; cwd?: string; forbidden?: string[] } = {}) {
  const { tools = TOOLS, cwd = "/repo", forbidden = [] } = more;
  return makeClaudePermissions({ tools, cwd, drop: "/repo/relais/.tmp/d", scope: { allowed, forbidden } });
}

/** The rules about writing, without the one for the drop folder. */
const edits = (...given: Parameters<typeof permissionsOf>) =>
  permissionsOf(...given).rules.allow.filter((rule) => rule.startsWith("Edit(") && !rule.includes(".tmp"));

test("the tools are restricted, and those that write are allowed only in the scope and the drop folder", () => {
  expect(permissionsOf(["src/**", "README.md"], { forbidden: ["**/.env*"] })).toEqual({
    tools: TOOLS,
    rules: {
      allow: [
        "Read",
        "Glob",
        "Grep",
        "Bash",
        "Edit(//repo/src/**)",
        "Edit(//repo/README.md)",
        "Edit(//repo/relais/.tmp/d/**)",
      ],
      deny: ["Edit(//repo/**/.env*)"],
    },
  });
});

test("who only looks has nothing to write with, and who plans has nothing at all", () => {
  const look = { tools: "Read,Glob,Grep", cwd: "/repo", drop: "/drop", scope: null };
  expect(makeClaudePermissions(look)).toEqual({
    tools: "Read,Glob,Grep",
    rules: { allow: ["Read", "Glob", "Grep"], deny: [] },
  });
  expect(makeClaudePermissions({ ...look, tools: "" })).toEqual({
    tools: "",
    rules: { allow: [], deny: [] },
  });
});

test("a rule that a person wrote stays as it is, commas and all", () => {
  const { tools, rules } = permissionsOf(["src/**"], { tools: "Read, Bash(npm run {a,b}),Edit(//else/**)" });
  expect(tools).toBe("Read,Bash,Edit");
  expect(rules).toEqual({ allow: ["Read", "Bash(npm run {a,b})", "Edit(//else/**)"], deny: [] });
});

test.each([
  ["src/{a,b}/*.{ts,js}", ["src/a/*.ts", "src/a/*.js", "src/b/*.ts", "src/b/*.js"]],
  ["src/{a,{b,c}}", ["src/a", "src/b", "src/a", "src/c"]],
  ["app/[id].ts", ["app/[id].ts", "app/\\\\[id\\\\].ts"]],
  ["app/(group)/page.tsx", ["app/\\(group\\)/page.tsx"]],
  ["a\\b", ["a\\\\\\\\b"]],
  ["a,b/**", ["a,b/**"]],
  ["x),Write(/**", ["x\\),Write\\(/**"]],
  ["line\nbreak", ["line?break"]],
  ["é ü/**", ["é ü/**"]],
])("the glob %j becomes %j", (glob, patterns) => {
  expect(edits([glob])).toEqual(patterns.map((pattern) => `Edit(//repo/${pattern})`));
});

test("choices without end allow everything and forbid nothing, because the judge decides", () => {
  const glob = "{a,b}".repeat(10);
  expect(edits([glob])).toEqual(["Edit(//repo/**)"]);
  expect(permissionsOf([], { forbidden: [glob] }).rules.deny).toEqual([]);
});

test("rules that would not fit into one argument open the folder, because the judge decides", () => {
  const globs = Array.from({ length: 2000 }, (_, index) => `src/${"x".repeat(40)}${index}/**`);
  expect(edits(globs, { forbidden: ["a"] })).toEqual(["Edit(//repo/**)"]);
  expect(permissionsOf(["src/**"], { forbidden: globs }).rules.deny).toEqual([]);
});

test("the folder itself is never a pattern", () => {
  expect(edits(["a"], { cwd: "/x (y)/[z]*?\\\n" })).toEqual(["Edit(//x \\(y\\)/\\\\[z\\\\]\\\\*?\\\\\\\\?/a)"]);
});

/** How the program reads a rule: from the first open parenthesis to the last one, neither of them escaped. */
function contentOf(rule: string): string | null {
  const bare = (index: number) => (/\\*$/.exec(rule.slice(0, index))?.[0].length ?? 0) % 2 === 0;
  const indexes = rule.split("").flatMap((_, index) => (bare(index) ? [index] : []));
  const open = indexes.find((index) => rule[index] === "(");
  const close = indexes.findLast((index) => rule[index] === ")");
  if (open !== 4 || close !== rule.length - 1) return null;
  return rule
    .slice(open + 1, close)
    .replaceAll("\\(", "(")
    .replaceAll("\\)", ")")
    .replaceAll("\\\\", "\\");
}

test("no glob breaks out of its rule, and no rule leaves the folder", () => {
  const glob = fc.string({
    unit: fc.constantFrom(..."ab/*?[](){},\\!\n \"'".split("")),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(glob, (one) => {
      const rules = edits([one]);
      expect(rules.length).toBeGreaterThan(0);
      for (const rule of rules) {
        const content = contentOf(rule);
        expect(content?.startsWith("//repo/")).toBe(true);
        expect(content).not.toMatch(/\n/);
      }
    }),
  );
});

test("a session can be given fewer tools than the configuration grants, and never more", () => {
  const granted = "Read,Edit,Write,Bash,WebFetch(domain:example.org)";
  expect(narrowTools(granted, null)).toBe(granted);
  expect(narrowTools(granted, ["Read", "Write"])).toBe("Read,Write");
  expect(narrowTools(granted, ["Bash(just *)", "NotebookEdit"])).toBe("Bash(just *)");
  expect(narrowTools(granted, ["WebFetch"])).toBe("WebFetch(domain:example.org)");
  expect(narrowTools(granted, ["WebFetch(domain:elsewhere.org)"])).toBe("");
  expect(narrowTools(granted, ["Edit(src/**)"])).toBe("Edit");
  expect(narrowTools("", ["Read"])).toBe("");
});
