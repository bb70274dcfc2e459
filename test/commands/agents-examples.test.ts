/** Every example of docs/agents.md for a program of another maker, with a stand-in that is called as that program is. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { play } from "../support/scenario.ts";
import { RESULT } from "../support/scenario-documents.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/agents.md"), "utf8");

/** The configurations below headings of the third level, by heading. */
function examples(): ReadonlyMap<string, object> {
  const found = new Map<string, object>();
  for (const section of PAGE.split(/^### /m).slice(1)) {
    const [heading = ""] = section.split("\n");
    const block = /```json\n(?<text>[\s\S]*?)```/.exec(section)?.groups?.["text"] ?? "";
    found.set(heading, Object(JSON.parse(block)));
  }
  return found;
}

const BUILD = "echo 'export const answer = 42;' > src/main.ts";
const ANSWER = `printf '%s' '${JSON.stringify(RESULT)}'`;
/** Finds the two files in what it was told, as a model would, and does what the first one says. */
const OBEY = [
  'for word in $told; do case "$word" in /*PROMPT.txt) prompt=$word;; /*RESULT.json) result=$word;; esac; done',
  'grep -q "You build for relais" "$prompt" || exit 65',
  `${BUILD}; ${ANSWER} > "$result"`,
].join("\n");

const STAND_INS: Readonly<Record<string, { readonly file: string; readonly script: string }>> = {
  opencode: { file: "bin/opencode", script: `test "$1" = run || exit 64\ntold=$2\n${OBEY}` },
  "Gemini CLI": {
    file: "bin/gemini",
    script: `test "$1" = --yolo -a -n "$GEMINI_API_KEY" || exit 64\ngrep -q "You build for relais" || exit 65\n${BUILD}; ${ANSWER}`,
  },
  "Cursor's agent": {
    file: "bin/cursor-agent",
    script: `test "$1 $2 $3 $4" = "--print --force --output-format text" -a -n "$CURSOR_API_KEY" || exit 64\ntold=$5\n${OBEY}`,
  },
  "A script of your own": {
    file: "place/repo/tools/agent.sh",
    script: `grep -q "You build for relais" || exit 65\n${BUILD}; ${ANSWER} > "$RELAIS_RESULT_PATH"`,
  },
};

test("there is a stand-in for each example, and an example for each stand-in", () => {
  expect([...examples().keys()]).toEqual(Object.keys(STAND_INS));
});

test.each([...examples()])("the example for %s works as it stands", async (heading, config) => {
  const { file, script } = STAND_INS[heading] ?? { file: "", script: "" };
  const played = play({
    shows: heading,
    config,
    files: { "tools/agent.sh": "exit 66\n" },
    task: { builder: { mode: "command", instructions: "Set the answer to 42." } },
    before: ({ box, git }) => {
      writeFileSync(join(box, file), `#!/bin/sh\n${script}\n`);
      chmodSync(join(box, file), 0o755);
      if (git("status", "--porcelain") !== "") git("commit", "-qam", "the script");
      return { GEMINI_API_KEY: "worthless", CURSOR_API_KEY: "worthless" };
    },
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      report: { builder_output_valid: true },
    },
  });
  await expect(played).resolves.toBeUndefined();
});

test("every configuration on the page is one", () => {
  const blocks = [...PAGE.matchAll(/```json\n(?<text>[\s\S]*?)```/g)];
  expect(blocks.length).toBeGreaterThan(examples().size);
  for (const { groups } of blocks) expect(parseConfig(JSON.parse(groups?.["text"] ?? "")).kind).toBe("valid");
});
