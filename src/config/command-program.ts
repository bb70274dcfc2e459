/** `command`: any program of your own as an agent. `cursor` is the older name of the same key. */
import * as v from "valibot";
import { Argument, Program, Seconds } from "../base/quantity.ts";
import { RepositoryPath } from "../base/repository-path.ts";
import { key } from "./key.ts";

const CommandProgram = v.strictObject({
  command: v.pipe(Program, v.description("The program: its name on the PATH, or its path from the root.")),
  args: key(
    v.pipe(v.array(Argument), v.maxLength(64)),
    "Its arguments. Placeholders such as `{{prompt_path}}` are filled in.",
    [],
  ),
  timeout_seconds: key(Seconds, "Time limit of a session.", 600),
  output_file: key(
    v.nullable(RepositoryPath),
    "Where the program writes its result, if it cannot use the path it is given. Must not be tracked.",
    null,
  ),
});
export type CommandProgram = v.InferOutput<typeof CommandProgram>;

/** At most one of the two names is set. */
export const listCommandEntries = (section: ProgramSection) => ({
  command: v.exactOptional(CommandProgram),
  cursor: v.exactOptional(
    v.pipe(CommandProgram, v.description(`Older name of \`${section}.command\`.`), v.metadata({ deprecated: true })),
  ),
});

type ProgramSection = "builder" | "orchestrator";
interface Programs {
  readonly command?: CommandProgram;
  readonly cursor?: CommandProgram;
}

export const hasOneName = ({ command, cursor }: Programs) => command === undefined || cursor === undefined;

export const findOneNameProblem = (section: ProgramSection) =>
  `\`${section}.command\` and \`${section}.cursor\` are two names of one key: remove \`${section}.cursor\``;

/** `hasOneName` in JSON Schema. */
export const ONE_NAME = { not: { required: ["command", "cursor"] } };

interface FoundProgram {
  readonly settings: CommandProgram | undefined;
  readonly key: string;
}

export function findCommandProgram(section: ProgramSection, { command, cursor }: Programs): FoundProgram {
  return cursor === undefined
    ? { settings: command, key: `${section}.command` }
    : { settings: cursor, key: `${section}.cursor` };
}

export function normaliseMode<Mode extends string>(mode: Mode | "cursor"): Mode | "command" {
  return mode === "cursor" ? "command" : mode;
}
