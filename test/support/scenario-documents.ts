/** The usual configuration and the usual task of a scenario, and how a scenario changes them. */
import { join } from "node:path";
import { isRecord } from "../../src/base/quantity.ts";
import { layOver } from "../../src/drill/pure/drill-config.ts";

/** What decides about the documents of a scenario. */
export interface DocumentParts {
  /** Laid over the usual configuration; a text is taken as it is. */
  readonly config?: object | string;
  /** Laid over the usual task; a text is taken as it is. */
  readonly task?: object | string;
  /** What a scripted builder does; in the end it leaves a good result. */
  readonly steps?: readonly object[];
  /** The shell script of a builder that is a program; what it leaves as its result is its own business. */
  readonly program?: string;
  /** The shell script of an orchestrator, which then plans in place of a task that is handed over. */
  readonly brain?: string;
}

/** What a good builder leaves. */
export const RESULT = {
  summary: "It is done.",
  files_intended: ["src/main.ts"],
  commands_ran: [],
  notes: [],
} as const;
/** The same for a shell script, which writes it where it was told to. */
export const LEAVE_RESULT = `printf '%s' '${JSON.stringify(RESULT)}' > "$RELAIS_RESULT_PATH"\n`;

/** The edit that every gate and every check agrees with. */
export const GOOD_EDIT = { do: "write", path: "src/main.ts", text: "export const answer = 42;\n" } as const;

const TEMPLATES = [
  { id: "answer", cmd: "grep", args: ["-q", "42", "src/main.ts"] },
  { id: "green", cmd: "true" },
  { id: "red", cmd: "false" },
  {
    id: "find",
    cmd: "grep",
    args: ["-q", "{{word}}", "src/main.ts"],
    params: { word: { kind: "string_token" } },
  },
  { id: "show", cmd: "cat", args: ["{{file}}"], params: { file: { kind: "path" } } },
];

const TASK = {
  task_id: "T-1",
  milestone_id: "M-1",
  task_kind: "execute",
  intent: "Set the answer to 42.",
  scope: {
    allowed_globs: ["src/**"],
    forbidden_globs: [],
    allow_new_files: false,
    allow_lockfile_changes: false,
  },
  diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
  verification: { fast: ["answer"], slow: ["green"] },
} as const;

/** Lays one document over another: objects are joined, `undefined` removes a key, everything else is replaced. */
export const laidOver = layOver;

/** The configuration that a scenario runs with. */
export function configOf({ config = {}, program, brain }: DocumentParts, box = "/box"): unknown {
  if (typeof config === "string") return config;
  const builder =
    program === undefined
      ? { default_mode: "scripted" }
      : { default_mode: "command", command: { command: "sh", args: [join(box, "builder.sh")] } };
  const planner =
    brain === undefined
      ? {}
      : {
          roles: { orchestrator: { driver: "command" } },
          orchestrator: { command: { command: "sh", args: [join(box, "brain.sh")] } },
        };
  return laidOver({ builder, verification: { templates: TEMPLATES }, ...planner }, config);
}

/** The task that a scenario hands over. */
export function taskOf({ task = {}, steps = [GOOD_EDIT], program }: DocumentParts): unknown {
  if (typeof task === "string") return task;
  const script = { steps: [...steps, { do: "result", content: RESULT }] };
  const builder =
    program === undefined
      ? { mode: "scripted", max_turns: 4, instructions: JSON.stringify(script) }
      : { mode: "command", max_turns: 4, instructions: "Set the answer to 42." };
  return laidOver({ ...TASK, builder }, task);
}

/** The document without what it has at this path. */
export function without(document: unknown, [name, ...rest]: readonly string[]): unknown {
  if (!isRecord(document) || name === undefined) return document;
  const others = Object.entries(document).filter(([key]) => key !== name);
  const inner = rest.length === 0 ? [] : [[name, without(document[name], rest)] as const];
  return Object.fromEntries([...others, ...inner]);
}

/** Whether a document has something at this path. */
export function hasPath(document: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return isRecord(document) && Object.hasOwn(document, name) && hasPath(document[name], rest);
}
