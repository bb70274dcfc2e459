/** What every builder finds: a repository with something of everything in it, and all that nobody may touch around it. */
import { WORKSPACE_IGNORE } from "../../config/workspace-layout.ts";

export const STAGE_FILES: Readonly<Record<string, string>> = {
  ".gitignore": "dist/\nnode_modules/\n.env*\n*.log\n",
  "README.md": "# Sample\n",
  "package.json": '{ "name": "sample" }\n',
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  "docs/guide.md": "Guide.\n",
  "src/main.ts": "export const answer = 41;\n",
  "src/other.ts": "export const other = 1;\n",
  "src/deep/inner.ts": "export const inner = 1;\n",
  "tests/main.test.ts": "// tests\n",
  "relais/.gitignore": WORKSPACE_IGNORE,
  "relais/FACTS.md": "Facts.\n",
  "relais/prompts/builder.system.txt": "Build.\n",
};

export const IGNORED_FILES: Readonly<Record<string, string>> = {
  ".env": "SECRET=hunter2\n",
  "debug.log": "one line\n",
  "dist/app.js": "built\n",
  "node_modules/dep/index.js": "module.exports = 1;\n",
};

export const AROUND_FILES: Readonly<Record<string, string>> = {
  "place/neighbour/untouched.txt": "nobody writes here\n",
  "home/.profile": "# nobody writes here\n",
  "home/.npmrc": "# nobody writes here\n",
  "state/other/state.json": "{}\n",
};

export const DRILL_TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Set the answer to 42.",
  scope: {
    allowed_globs: ["src/**", "tests/**"],
    forbidden_globs: [],
    allow_new_files: true,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 20, max_lines_changed: 200 },
  verification: { fast: ["answer"], slow: [] },
  builder: { mode: "command", max_turns: 1, instructions: "Set the answer to 42." },
};

/** `under-test` runs code that the builder may write, as a project's own tests do. */
export const DRILL_CHECKS = [
  { id: "answer", cmd: "grep", args: ["-q", "42", "src/main.ts"] },
  { id: "green", cmd: "true" },
  { id: "under-test", cmd: "sh", args: ["src/run.sh"] },
  {
    id: "find",
    cmd: "grep",
    args: ["-q", "{{word}}", "src/main.ts"],
    params: { word: { kind: "string_token" } },
  },
];

/** What a builder may know of its surroundings: a mark that nothing may ever make, and a place for process ids. */
export const DRILL_VARIABLES = ["MARK", "PIDS", "HOSTILE"];

/** The program that runs a builder, by the ending of its file. */
export const findInterpreter = (extension: string, node: string): string => (extension === ".sh" ? "sh" : node);

/** What the task asks for. */
export const GOOD_TEXT = "export const answer = 42;";
export const GOOD_BUILDER = `echo '${GOOD_TEXT}' > src/main.ts\n`;
