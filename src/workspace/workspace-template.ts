/** Every file of a fresh workspace. */
import { WORKSPACE_IGNORE } from "../config/workspace-layout.ts";
import { SHIPPED_PROMPTS } from "./session-files.ts";
import { SHIPPED_SCHEMAS } from "./shipped-files.ts";

const GOAL = `# Goal

<!-- What this project is to become, for the planner. Only people write here. Say what is wanted and how one
     can tell that it is reached; leave out how to get there. -->
`;

const FACTS = `# Facts

<!-- What is true here and cannot be seen from the code: decisions, conventions, what was tried and did not work. Only people
     write here. Keep it short: every planning session reads it. -->
`;

const FIXTURES = `# What every tick keeps to

Twelve situations that decide whether relais can be trusted here. Each names what happens and how the tick has to end; the
repository is reverted unless it succeeds.

| id   | situation                                              | how it ends                                                |
| ---- | ------------------------------------------------------ | ---------------------------------------------------------- |
| F001 | a valid task and a builder that does it                | one builder call, and at most one retry of the plan        |
| F002 | no answer of the orchestrator is a valid plan          | \`BLOCKED_ORCHESTRATOR_OUTPUT_INVALID\`                      |
| F003 | a question, yet a file changed                         | \`STOP_QUESTION_SIDE_EFFECTS\`                               |
| F004 | a verify_only task, yet a file changed                 | \`STOP_VERIFY_ONLY_SIDE_EFFECTS\`                            |
| F005 | a file outside the allowed globs is edited             | \`STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED\`                     |
| F006 | the runner's files or git's own are edited             | \`STOP_RUNNER_OWNED_MUTATION\`, \`STOP_GIT_METADATA_MUTATION\` |
| F007 | a file is created where none may be                    | \`STOP_SCOPE_VIOLATION_NEW_FILE\`                            |
| F008 | a lockfile is changed where none may be                | \`STOP_LOCKFILE_CHANGE_FORBIDDEN\`                           |
| F009 | more lines change than the limit allows                | \`STOP_DIFF_TOO_LARGE\`                                      |
| F010 | a parameter of a check holds a shell character         | \`STOP_VERIFY_TAINTED\`, and nothing is run                  |
| F011 | a fast check fails                                     | \`STOP_VERIFY_FAILED_FAST\`, and no slow check is run        |
| F012 | a crash left a temporary file and a damaged STATE.json | \`BLOCKED_CRASH_RECOVERY_REQUIRED\`                          |
`;

export interface TemplateFile {
  readonly name: string;
  readonly text: string;
}

/** `init` writes each of them only if it is missing. */
export function listWorkspaceTemplate(): readonly TemplateFile[] {
  return [
    { name: ".gitignore", text: WORKSPACE_IGNORE },
    { name: "GOAL.md", text: GOAL },
    { name: "FACTS.md", text: FACTS },
    { name: "fixtures/README.md", text: FIXTURES },
    ...Object.entries(SHIPPED_PROMPTS).map(([name, text]) => ({ name: `prompts/${name}`, text })),
    ...Object.entries(SHIPPED_SCHEMAS).map(([name, schema]) => ({
      name: `schemas/${name}`,
      text: `${JSON.stringify(schema, null, 2)}\n`,
    })),
  ];
}
