import type { Config } from "../contract/config.ts";
import { unreachable } from "../contract/invariant.ts";
import { type DoctorCheck, fail, ok, warn } from "../core/doctor-check.ts";
import { findProgram } from "../io/find-program.ts";
import { claudeCheck } from "./doctor-claude.ts";
import { codexCheck } from "./doctor-codex.ts";
import type { ProgramQuestion } from "./doctor-status.ts";

/** Where programs are looked for: as the runner would start them. */
interface Places {
  readonly path: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The programs that the configuration names for building, planning and checking. */
export async function programChecks(config: Config, places: Places): Promise<readonly DoctorCheck[]> {
  return [
    await builderCheck(config, places),
    await orchestratorCheck(config, places),
    ...(config.review.reviewers.length === 0 ? [] : [await reviewerCheck(config, places)]),
    ...(await checkPrograms(config, places)),
  ];
}

const builderMode = ({ builder, roles }: Config): Mode => roles.builder.driver ?? builder.default_mode;

async function builderCheck(config: Config, places: Places): Promise<DoctorCheck> {
  const mode = builderMode(config);
  const program = programOf(mode, config);
  if (program === null) return needsNone("builder", mode);
  const found = await findProgram(program, places);
  if (found !== null) return foundCheck("builder", { mode, program: found, config, places });
  return fail("builder", {
    message: `The program ${program} of the builder (${mode}) was not found.`,
    fix: `Install it, or choose another builder.default_mode in the configuration.`,
  });
}

/** A task from a file needs no planning, so a missing program is no failure yet. */
async function orchestratorCheck(config: Config, places: Places): Promise<DoctorCheck> {
  const mode = config.roles.orchestrator.driver ?? "claude_code";
  const own = mode === "command" ? config.orchestrator.cursor?.command : undefined;
  const program = own ?? programOf(mode, config);
  if (program === null) return needsNone("orchestrator", mode);
  const found = await findProgram(program, places);
  if (found !== null) return foundCheck("orchestrator", { mode, program: found, config, places });
  return warn("orchestrator", {
    message: `The program ${program} of the orchestrator (${mode}) was not found.`,
    fix: "Give each task with `relais run --task FILE`; only planning needs that program.",
  });
}

/** Whoever reviews is played like the builder, unless it is said. */
async function reviewerCheck(config: Config, places: Places): Promise<DoctorCheck> {
  const mode = config.roles.reviewer.driver ?? builderMode(config);
  const program = programOf(mode, config);
  if (program === null) return needsNone("reviewer", mode);
  const found = await findProgram(program, places);
  if (found !== null) return foundCheck("reviewer", { mode, program: found, config, places });
  return fail("reviewer", {
    message: `The program ${program} of the reviewers (${mode}) was not found.`,
    fix: "Install it, or choose another roles.reviewer.driver in the configuration.",
  });
}

const needsNone = (subject: string, mode: Mode) => ok(subject, `${mode}, which needs no program`);

interface Found {
  readonly mode: Mode;
  readonly program: string;
  readonly config: Config;
  readonly places: Places;
}

/** A program that can be asked how it is, is asked. */
async function foundCheck(role: ProgramQuestion["role"], found: Found): Promise<DoctorCheck> {
  const { mode, program, config, places } = found;
  const question = { role, program, config, environment: places.environment };
  if (mode === "claude_code") return claudeCheck(question);
  return mode === "codex" ? codexCheck(question) : ok(role, `${mode}: ${program}`);
}

type Mode = Config["builder"]["default_mode"] | NonNullable<Config["roles"]["builder"]["driver"]>;

/** The program behind a driver; null where relais does the work itself. */
function programOf(mode: Mode, { builder, claude_code_cli }: Config): string | null {
  switch (mode) {
    case "claude_code":
      return claude_code_cli.command;
    case "codex":
      return builder.codex.command;
    case "cursor":
    case "command":
      return builder.cursor?.command ?? null;
    case "patch":
    case "scripted":
      return null;
    default:
      return unreachable(mode);
  }
}

async function checkPrograms({ verification }: Config, places: Places): Promise<readonly DoctorCheck[]> {
  const { templates } = verification;
  if (templates.length === 0) {
    const message =
      "No check is configured: relais can tell where a change was made and not whether it works.";
    return [warn("checks", { message, fix: "Add your checks to verification.templates." })];
  }
  const missing: string[] = [];
  for (const program of new Set(templates.map(({ cmd }) => cmd))) {
    const users = templates.filter(({ cmd }) => cmd === program).map(({ id }) => id);
    if ((await findProgram(program, places)) === null)
      missing.push(`${program} was not found, which ${users.join(", ")} would start`);
  }
  if (missing.length === 0) return [ok("checks", templates.map(({ id }) => id).join(", "))];
  const message = "A check that cannot be started fails, and the work is put back.";
  return [
    fail("checks", {
      message,
      problems: missing,
      fix: "Install the programs, or correct verification.templates.",
    }),
  ];
}
