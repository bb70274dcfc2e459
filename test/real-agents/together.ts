/** Two programs of two makers in one tick, by configuration alone. */
import { ENVELOPE_KEY } from "../../src/agents/claude-arguments.ts";
import type { Turn } from "../model-api/script.ts";
import { RESULT } from "../support/scenario-documents.ts";
import { agentTask, type AgentTick } from "./agent-tick.ts";

const DONE = ["src/main.ts"];
const structured = (input: Readonly<Record<string, unknown>>): Turn => ({
  calls: [{ tool: "StructuredOutput", input }],
});
const PATCH =
  "*** Begin Patch\n*** Update File: src/main.ts\n@@\n-export const answer = 41;\n+export const answer = 42;\n*** End Patch\n";

export const TOGETHER: readonly AgentTick[] = [
  {
    shows: "Claude Code plans and codex builds",
    brain: "claude_code",
    hands: "codex",
    claude: [structured({ [ENVELOPE_KEY]: agentTask("codex") })],
    codex: [{ calls: [{ tool: "apply_patch", input: PATCH }] }, { json: RESULT }],
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { usage: [{ driver: "claude_code" }, { driver: "codex" }] },
    },
  },
  {
    shows: "codex plans and Claude Code builds",
    brain: "codex",
    hands: "claude_code",
    codex: [{ json: agentTask("claude_code") }],
    claude: [
      { calls: [{ tool: "Read", input: { file_path: "src/main.ts" } }] },
      {
        calls: [
          {
            tool: "Edit",
            input: { file_path: "src/main.ts", old_string: "answer = 41", new_string: "answer = 42" },
          },
        ],
      },
      structured({ ...RESULT }),
    ],
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: { usage: [{ driver: "codex" }, { driver: "claude_code" }] },
    },
  },
];
