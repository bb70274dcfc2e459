import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { JournalLine, type TickEvent } from "../../src/records/event.ts";
import { relais } from "./in-process.ts";
import type { Ran } from "./relais.ts";
import { scratchRepository, type ScratchRepository } from "./scratch-repository.ts";

/** A repository in which nobody has run `init`, and programs that stand in for the agents. */
export interface SentenceWorld extends ScratchRepository {
  readonly relais: (...args: string[]) => Promise<Ran>;
  readonly ask: (...args: string[]) => Promise<{ readonly status: number | null; readonly document: unknown }>;
  readonly read: (path: string) => string;
  /** The state directory of the repository. */
  readonly state: () => string;
  /** The first events of the ticks, oldest first. */
  readonly starts: () => readonly Started[];
  /** The arguments of the last session of an agent. */
  readonly lastArguments: (agent: Agent) => readonly string[];
}

type Agent = "claude" | "codex";
type Started = Extract<TickEvent, { type: "tick_started" }>;

interface SentenceOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** The agents on the PATH, and whether each is logged in. */
  readonly agents?: Partial<Readonly<Record<Agent, "in" | "out">>>;
  /** What a session of an agent does, in the shell; `$n` is its number, from 0. */
  readonly does?: string;
  /** The answers of Codex, one for each session; the last one is repeated. */
  readonly answers?: readonly object[];
}

const PACKAGE = JSON.stringify({ name: "greeter", main: "index.js", scripts: { test: "a test" } });
const FILES = {
  "package.json": PACKAGE,
  "package-lock.json": "{}\n",
  "index.js": "export {};\n",
  "src/greet.js": "export const greeting = 'hello wrold';\n",
  "test/greet.test.js": "// a test\n",
  ".github/workflows/ci.yml": "on: push\n",
  ".env": "SECRET=1\n",
};

export const FIX = "printf \"export const greeting = 'hello world';\\n\" > src/greet.js";

const PROGRAMS = ["git", "sh", "rm", "cat", "grep", "printf", "mkdir", "echo", "sed", "env"];

export function sentenceWorld(options: SentenceOptions = {}): SentenceWorld {
  const { files = {}, agents = {}, does = FIX, answers = [ANSWER] } = options;
  const scratch = scratchRepository({ ...FILES, ...files });
  const { box, root } = scratch;
  scratch.git("switch", "--quiet", "--create", "topic");
  const bin = join(box, "bin");
  mkdirSync(bin);
  linkPrograms(bin);
  for (const agent of ["claude", "codex"] as const) {
    const login = agents[agent];
    if (login !== undefined) writeAgent(join(bin, agent), { agent, isLoggedIn: login === "in", does });
  }
  for (const [index, answer] of answers.entries())
    writeFileSync(join(bin, `answer-${index}`), writeCodexEvents(answer));
  symlinkSync(`answer-${answers.length - 1}`, join(bin, "answer-last"));
  const env = { HOME: box, XDG_STATE_HOME: join(box, "state"), PATH: bin };
  const run = (...args: string[]): Promise<Ran> => relais(args, { cwd: root, env });
  return {
    ...scratch,
    relais: run,
    ask: async (...args) => {
      const { status, stdout, stderr } = await run(...args, "--json");
      if (stdout === "") throw new Error(stderr);
      const document: unknown = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
      return { status, document };
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    state: () => {
      const home = join(box, "state/relais");
      return join(home, readdirSync(home).find((name) => name.startsWith("repo-")) ?? "");
    },
    starts: () =>
      readFileSync(join(root, "relais/ledger.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => v.parse(JournalLine, JSON.parse(line)).event)
        .filter((event) => event.type === "tick_started"),
    lastArguments: (agent) => readFileSync(join(bin, `${agent}.args`), "utf8").split("\0"),
  };
}

/** Only these, so that an agent of the person who runs the tests is never found. */
function linkPrograms(bin: string): void {
  const folders = (process.env["PATH"] ?? "").split(":");
  for (const name of PROGRAMS) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(bin, name));
  }
  writeProgram(join(bin, "npm"), "exec grep -q hello src/greet.js");
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

interface StandIn {
  readonly agent: Agent;
  readonly isLoggedIn: boolean;
  readonly does: string;
}

/** Answers about its login as the real program does; anything else is a session. */
function writeAgent(path: string, { agent, isLoggedIn, does }: StandIn): void {
  const printed = join(import.meta.dirname, "../fixtures/claude/build.jsonl");
  const login =
    agent === "claude"
      ? `if [ "$1" = auth ]; then echo '{"loggedIn":${String(isLoggedIn)},"authMethod":"api"}'; exit 0; fi`
      : `if [ "$1" = login ]; then echo '${isLoggedIn ? "Logged in using ChatGPT" : "Not logged in"}'; exit 0; fi`;
  const answers = agent === "claude" ? `cat '${printed}'` : 'cat "${0%/*}/answer-$n" || cat "${0%/*}/answer-last"';
  const lines = [
    login,
    `for arg; do printf '%s\\0' "$arg"; done > "$0.args"`,
    'n=$(cat "$0.count" || echo 0); echo $((n + 1)) > "$0.count"',
    does,
    answers,
  ];
  writeProgram(path, `exec 2>/dev/null\n${lines.join("\n")}`);
}

const ANSWER = { summary: "Fixed the greeting.", files_intended: [], commands_ran: [], notes: [] };

function writeCodexEvents(answer: object): string {
  const events = [
    { type: "thread.started", thread_id: "t" },
    { type: "turn.started" },
    { type: "item.completed", item: { id: "i", type: "agent_message", text: JSON.stringify(answer) } },
    { type: "turn.completed", usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 } },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
}
