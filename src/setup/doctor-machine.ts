import { type Config, makeDefaultConfig } from "../config/config.ts";
import type { Environment } from "../base/environment.ts";
import { MeasurementError } from "../base/errors.ts";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/config-text.ts";
import { describeCause } from "../tick/pure/cause-words.ts";
import { isAtLeast } from "../base/version-order.ts";
import { findOwnProgram } from "../system/find-program.ts";
import type { Repository } from "../git/repository-layout.ts";
import { findSigningProblem } from "../keep/sign-settlement.ts";
import { probeTickSandbox } from "../place/tick-sandbox.ts";
import { GIT_WANTED, readGitVersion } from "../git/git-version.ts";
import type { ProgramStatus } from "../agents/program-status.ts";
import { makeClaudeSettings } from "../agents/claude-arguments.ts";
import { readClaudeStatus } from "../agents/claude-status.ts";
import { makeCodexSettings } from "../agents/codex-arguments.ts";
import { type CodexStatus, readCodexStatus } from "../agents/codex-status.ts";
import { type AgentProgram, describeAgentProgram } from "../workspace/agent-programs.ts";
import { explainMissing } from "../workspace/missing-program.ts";
import { listMissingCheckPrograms } from "../workspace/missing-check-programs.ts";
import { findStateDirectory } from "../journal/state-directory.ts";
import { chooseIsolation } from "../place/choose-place.ts";

const NODE_WANTED = [20, 19];

export async function checkGit(cwd: string, environment: Environment): Promise<DoctorCheck> {
  try {
    const version = await readGitVersion(cwd, environment);
    if (isAtLeast(version, GIT_WANTED)) return ok("git", version);
    return fail("git", {
      message: `${version} is too old.`,
      fix: `Install git ${GIT_WANTED.join(".")} or later.`,
    });
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    return fail("git", {
      message: `git cannot be run: ${error.detail}.`,
      fix: `Install git ${GIT_WANTED.join(".")} or later and make sure that it is on the PATH.`,
    });
  }
}

export function checkNode(version: string): DoctorCheck {
  const wanted = NODE_WANTED.join(".");
  if (isAtLeast(version, NODE_WANTED)) return ok("node", version);
  return fail("node", { message: `node ${version} is too old.`, fix: `Install node ${wanted} or later.` });
}

/** Starts a sandbox, as a tick would. */
export async function checkSandbox(
  repository: Repository /** Null where the configuration cannot be read. */,
  config: Config | null,
): Promise<DoctorCheck> {
  const probe = await probeTickSandbox({ repository, config: config ?? makeDefaultConfig() });
  const mode = config?.sandbox ?? "auto";
  const outcome = probe.kind === "works" ? "bubblewrap works" : probe.reason;
  if (mode === "off") return ok("sandbox", `off, as configured (${outcome})`);
  if (probe.kind === "works")
    return ok("sandbox", `bubblewrap works; network of agents: ${config?.network ?? "agent"}`);
  const message = `No sandbox (${outcome}): a builder can write outside the repository and use the network.`;
  return (mode === "required" ? fail : warn)("sandbox", { message, fix: probe.remedy });
}

/** Signs a text, as a tick would. No line without a key. */
export async function checkSigningKey(subject: {
  readonly repository: Repository;
  readonly config: Config;
}): Promise<readonly DoctorCheck[]> {
  const { sign: signingKey } = subject.config.journal;
  if (signingKey === null) return [];
  const message = await findSigningProblem(subject);
  if (message === null) return [ok("signing", `${signingKey} signs every settled tick`)];
  return [fail("signing", { message, fix: describeCause("BLOCKED_MISSING_CONFIG", "signing_key_unusable").remedy })];
}

export async function checkTmux(path: string, cwd: string): Promise<DoctorCheck> {
  const program = await findOwnProgram("tmux", { path, cwd });
  if (program !== null) return ok("tmux", program);
  return warn("tmux", {
    message: "tmux is not installed; only `relais campaign run --mode tmux` needs it.",
    fix: "Install tmux to use it.",
  });
}

/** A role and its program. */
export interface DoctorQuestion {
  readonly role: "builder" | "orchestrator" | "reviewer";
  readonly program: string;
  readonly config: Config;
  readonly environment: Environment;
}

function describeStatus(
  driver: "claude_code" | "codex",
  { program }: DoctorQuestion,
  { version, login }: ProgramStatus,
): string {
  const known = version === null ? "unknown version" : `version ${version}`;
  const how = typeof login === "string" ? "" : `, logged in by ${login.method}`;
  return `${driver}: ${program}, ${known}${how}`;
}

/** A task from a file needs no orchestrator, so its trouble only warns. */
function rankSeverity({ role }: DoctorQuestion): typeof fail {
  return role === "orchestrator" ? warn : fail;
}

function findOptionsTrouble(question: DoctorQuestion, words: string, { options }: ProgramStatus): DoctorCheck | null {
  if (options.kind === "known") return null;
  if (options.kind === "unclear")
    return warn(question.role, {
      message: `${words}, may not support the options of relais.`,
      fix: "Try `relais run` with a small task; if it fails, read the transcript in its history.",
    });
  return rankSeverity(question)(question.role, {
    message: `${words}, does not support the options of relais.`,
    problems: [options.problem],
    fix: "Update it, or check the extra options in the configuration of relais and of the program.",
  });
}

/** Whether Claude Code would answer a role, and what its permission mode means. No model is asked. */
export async function checkClaude(question: DoctorQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const settings = makeClaudeSettings(config, role);
  return reportClaude(question, await readClaudeStatus({ program, settings, environment, names: config.env.agents }));
}

export function reportClaude(question: DoctorQuestion, status: ProgramStatus): DoctorCheck {
  const words = describeStatus("claude_code", question, status);
  return (
    findLoginTrouble(question, words, { ...CLAUDE_LOGIN, login: status.login }) ??
    findOptionsTrouble(question, words, status) ??
    findModeTrouble(question) ??
    ok(question.role, words)
  );
}

const CLAUDE_LOGIN = {
  logIn:
    "Start `claude` once and type /login, or set ANTHROPIC_API_KEY. List the variables of another provider in env.agents.",
  find: "Try `claude auth status`; a newer Claude Code answers it.",
};
const CODEX_LOGIN = {
  logIn: "Type `codex login`, or set CODEX_API_KEY. OPENAI_API_KEY alone is not used by codex.",
  find: "Try `codex login status`; a newer codex answers it.",
};

function findLoginTrouble(
  question: DoctorQuestion,
  words: string,
  { login, logIn, find }: Pick<ProgramStatus, "login"> & typeof CODEX_LOGIN,
): DoctorCheck | null {
  const { role } = question;
  if (login === "none") return rankSeverity(question)(role, { message: `${words}, is not logged in.`, fix: logIn });
  if (login !== "unknown") return null;
  return warn(role, { message: `${words}, does not say whether it is logged in.`, fix: find });
}

function findModeTrouble({ role, config, environment }: DoctorQuestion): DoctorCheck | null {
  if (makeClaudeSettings(config, role).permissionMode !== "bypassPermissions") return null;
  const key = role === "builder" ? "builder.claude_code.permission_mode" : "orchestrator.permission_mode";
  const isLifted = config.env.agents.includes("IS_SANDBOX") && environment["IS_SANDBOX"] === "1";
  if (process.getuid?.() === 0 && !isLifted)
    return fail(role, {
      message: `Claude Code refuses ${key} "bypassPermissions" as root.`,
      fix: `Set ${key} to "dontAsk", or run relais as an ordinary user. In a disposable container, set IS_SANDBOX=1 and add it to env.agents.`,
    });
  return warn(role, {
    message: `With ${key} "bypassPermissions" Claude Code may use every tool, also outside the repository; relais judges only changes inside.`,
    fix: `Set ${key} to "dontAsk", which limits its writes to the allowed paths.`,
  });
}

/** Whether codex would answer a role. No model is asked. */
export async function checkCodex(question: DoctorQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const settings = makeCodexSettings(config, role);
  return reportCodex(
    question,
    await readCodexStatus({ program, role, settings, environment, names: config.env.agents }),
  );
}

export function reportCodex(question: DoctorQuestion, status: CodexStatus): DoctorCheck {
  const words = describeCodex(question, status);
  return (
    findOptionsTrouble(question, words, status) ?? findCodexTrouble(question, words, status) ?? ok(question.role, words)
  );
}

/** With another provider, a login with codex does not matter. */
function describeCodex(question: DoctorQuestion, status: CodexStatus): string {
  const { provider } = status;
  if (provider === null) return describeStatus("codex", question, status);
  return `${describeStatus("codex", question, { ...status, login: "unknown" })}, with the provider ${provider.name}`;
}

function findCodexTrouble(question: DoctorQuestion, words: string, { login, provider }: CodexStatus) {
  if (provider === null) return findLoginTrouble(question, words, { ...CODEX_LOGIN, login });
  if (provider.hasKey) return null;
  return rankSeverity(question)(question.role, {
    message: `${words}, cannot find its key: ${provider.variable ?? ""} is not passed to sessions.`,
    fix: `Set ${provider.variable ?? ""} and add it to env.agents.`,
  });
}

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
  const message = explainMissing(program, role);
  // A task from a file needs no planning, so a missing orchestrator is no failure yet.
  return role === "orchestrator"
    ? warn(role, {
        message,
        fix: 'Use `relais run "say what to change"`, which needs no planning.',
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

/** Where the work happens, and why not in a better place. */
export async function checkIsolationMode(wanted: Config["isolation"], repository: Repository): Promise<DoctorCheck> {
  const state = findStateDirectory(repository, repository.environment);
  const question = { isolation: wanted, repository, stateDirectory: state.path };
  const { isolation, refusals } = await chooseIsolation(question);
  const { overlay, clone } = refusals;
  const reason = overlay ?? clone;
  if (isolation === null)
    return fail("isolation", {
      message: `\`isolation\` is ${wanted}, which does not work here: ${reason ?? "unknown"}.`,
      fix: `${findIsolationRemedy(reason ?? "")} Or set \`isolation\` to "auto".`,
    });
  if (reason === undefined) return ok("isolation", isolation === "in_place" ? "in place, as configured" : isolation);
  return isolation === "clone" ? reportClone(reason) : reportInPlace(reason, clone);
}

/** Overlays exist on Linux only, so there is nothing to fix elsewhere. */
function reportClone(reason: string): DoctorCheck {
  if (process.platform !== "linux") return ok("isolation", `clone: ${reason}`);
  const message = `clone, which copies the worktree for each tick: no overlay works here (${reason}).`;
  return warn("isolation", { message, fix: findIsolationRemedy(reason) });
}

function reportInPlace(overlay: string, clone = "unknown"): DoctorCheck {
  const message = `in place: no overlay works here (${overlay}), and no clone (${clone}).`;
  return warn("isolation", { message, fix: findIsolationRemedy(overlay) });
}

/** What helps against the known refusals, by the words of the system. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /uid_map|setgroups|filesystem propagation/iu,
    "Ubuntu restricts user namespaces: `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or run relais as root.",
  ],
  [
    /No space left on device/iu,
    "User namespaces are switched off: `sudo sysctl user.max_user_namespaces=10000`, or run relais as root.",
  ],
  [
    /unshare|Operation not permitted|EPERM|permission denied/iu,
    "A container refuses namespaces: start it with `--security-opt seccomp=unconfined` and `--cap-add SYS_ADMIN`, or run relais outside.",
  ],
  [
    /wrong fs type|invalid argument|EINVAL|upperdir/iu,
    "The state directory lies where no overlay can be, for example on another overlay in a container: set XDG_STATE_HOME to a folder on a volume or a local disk. As root, fuse-overlayfs helps too.",
  ],
  [/mounted in the worktree/u, "Unmount that, or keep working in place."],
  [/lies in the worktree/u, "Set XDG_STATE_HOME to a folder outside of the worktree."],
  [/not installed/u, "Install util-linux."],
  [/virtual environment|^the link|git data elsewhere/u, "An overlay has the path of the worktree, and copies nothing."],
];

function findIsolationRemedy(reason: string): string {
  return REMEDIES.find(([words]) => words.test(reason))?.[1] ?? "In place, do not edit while a tick runs.";
}
