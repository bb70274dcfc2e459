import type { Environment } from "../base/environment.ts";
import type { Config } from "../config/config.ts";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/doctor-check.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { type AgentProgram, describeAgentProgram } from "../workspace/agent-programs.ts";
import { checkClaude } from "./doctor-status.ts";
import { checkCodex } from "./doctor-status.ts";
import type { DoctorQuestion } from "./doctor-status.ts";
import { listMissingCheckPrograms } from "../workspace/missing-check-programs.ts";

/** As the runner would start programs. */
interface ProgramPlaces {
  readonly path: string;
  readonly cwd: string;
  readonly environment: Environment;
}

export async function checkDoctorPrograms(config: Config, places: ProgramPlaces): Promise<readonly DoctorCheck[]> {
  return [
    await checkAgent("builder", config, places),
    await checkAgent("orchestrator", config, places),
    ...(config.review.reviewers.length === 0 ? [] : [await checkAgent("reviewer", config, places)]),
    ...(await checkPrograms(config, places)),
  ];
}

async function checkAgent(role: DoctorQuestion["role"], config: Config, places: ProgramPlaces): Promise<DoctorCheck> {
  const { mode, program } = describeAgentProgram(role, config);
  if (program === null) return reportNoProgram(role, mode);
  const found = await findOwnProgram(program, places);
  if (found !== null) return checkFoundProgram(role, { mode, program: found, config, places });
  const message = `The program ${program} of the ${role} (${mode}) was not found.`;
  // A task from a file needs no planning, so a missing orchestrator is no failure yet.
  return role === "orchestrator"
    ? warn(role, {
        message,
        fix: 'Only planning needs it: use `relais run "say what to change"`.',
      })
    : fail(role, { message, fix: `Install it, or choose another ${KEYS[role]} in the configuration.` });
}

const KEYS = { builder: "builder.default_mode", reviewer: "roles.reviewer.driver" } as const;

const reportNoProgram = (subject: string, mode: AgentProgram["mode"]) => ok(subject, `${mode}, no program needed`);

interface FoundProgram {
  readonly mode: AgentProgram["mode"];
  readonly program: string;
  readonly config: Config;
  readonly places: ProgramPlaces;
}

async function checkFoundProgram(role: DoctorQuestion["role"], found: FoundProgram): Promise<DoctorCheck> {
  const { mode, program, config, places } = found;
  const question = { role, program, config, environment: places.environment };
  if (mode === "claude_code") return checkClaude(question);
  return mode === "codex" ? checkCodex(question) : ok(role, `${mode}: ${program}`);
}

async function checkPrograms({ verification }: Config, places: ProgramPlaces): Promise<readonly DoctorCheck[]> {
  const { templates } = verification;
  if (templates.length === 0) {
    const message = "No checks configured: relais cannot tell whether a change works.";
    return [warn("checks", { message, fix: "Add your checks to verification.templates." })];
  }
  const missing = await listMissingCheckPrograms(templates, places);
  if (missing.length === 0) return [ok("checks", templates.map(({ id }) => id).join(", "))];
  const message = "Some checks cannot start; every change would be reverted.";
  return [
    fail("checks", {
      message,
      problems: missing.map(({ program, users }) => `${program} not found, needed by ${users.join(", ")}`),
      fix: "Install the programs, or correct verification.templates.",
    }),
  ];
}
