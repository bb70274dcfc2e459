/** Agents and checks of a simulated world. What they write has a token that says whether it may stay. */
import { play, type FindProgram, type Program, type ProgramRun } from "./children.ts";
import { git } from "./git/commands.ts";
import { NodeFiles } from "./node-files.ts";
import type { Step } from "./plan.ts";
import { REPOSITORY } from "./repository.ts";

const WORK_US = 30_000;
const LATE_WRITES = 50;
const FOREVER_US = 1000 * 3_600_000_000;
/** A process that outlives its session. */
export const LEFT_BEHIND = "left-behind";

/** What must not be left of a tick, and what may. */
export const nameGood = ({ number }: Step): string => `GOOD-${number}-`;
export const nameBad = ({ number }: Step): string => `BAD-${number}-`;

/** A change is bad where a rule forbids it, where its check fails, and where its session did not end well. */
export function isBad({ deed, end, check }: Step): boolean {
  return ["outside", "git", "link"].includes(deed) || end === "hangs" || check !== "passes";
}

export const nameToken = (step: Step): string => (isBad(step) ? nameBad(step) : nameGood(step));

/** What the world hears of its sessions. */
export interface Sessions {
  readonly begin: () => void;
  /** With the file that it changes, as it is now. */
  readonly leave: (text: string) => void;
}

export function makeActors(find: () => Step, sessions: () => Sessions): FindProgram {
  const agent: Program = function* (run) {
    sessions().begin();
    const step = find();
    yield WORK_US + run.machine.random.below(WORK_US);
    if (step.forks) leaveChild(run, step);
    work(run, step);
    sessions().leave(String(run.files.readFileSync(`${REPOSITORY}/src/a.txt`, "utf8")));
    yield WORK_US;
    return yield* endSession(step.end);
  };
  const check: Program = function* (run) {
    const step = find();
    yield WORK_US;
    // Before the build every check passes: then there is no token.
    const built = step.deed === "nothing" && step.forks ? "src/b.txt" : "src/a.txt";
    const isBuilt =
      run.files.existsSync(`${REPOSITORY}/${built}`) &&
      String(run.files.readFileSync(`${REPOSITORY}/${built}`, "utf8")).includes(nameToken(step));
    if (step.check === "hangs" && isBuilt) yield FOREVER_US;
    if (step.check === "writes" && isBuilt) {
      run.files.appendFileSync(`${REPOSITORY}/README`, `${nameBad(step)} check\n`);
      return 1;
    }
    return step.check === "fails" && isBuilt ? 1 : 0;
  };
  const programs: Readonly<Record<string, Program>> = { git, agent, check };
  return ([file = ""]) => programs[file.split("/").at(-1) ?? ""] ?? null;
}

const STATUSES = { well: 0, status: 3, hangs: 0, crash: 139 } as const;

function* endSession(end: Step["end"]): Generator<number, number> {
  if (end === "hangs") yield FOREVER_US;
  return STATUSES[end];
}

/** It loses its parent, and goes on for a while. */
function leaveChild({ machine, process }: ProgramRun, step: Step): void {
  const child = machine.start({
    argv: [LEFT_BEHIND],
    env: process.env,
    cwd: REPOSITORY,
    parent: process,
    isDetached: false,
  });
  const files = new NodeFiles(
    () => child.files,
    () => "left",
  );
  const writes = function* (): Generator<number, number> {
    for (let times = 0; times < LATE_WRITES; times += 1) {
      yield WORK_US;
      files.appendFileSync(`${REPOSITORY}/src/b.txt`, `${nameToken(step)} late ${times}\n`);
    }
    return 0;
  };
  play(machine, child, writes());
}

function work({ files }: ProgramRun, step: Step): void {
  const token = nameToken(step);
  const write = (path: string, text: string): void => files.appendFileSync(`${REPOSITORY}/${path}`, text);
  switch (step.deed) {
    case "nothing":
      return;
    case "good":
      return write("src/a.txt", `${token} line\n`);
    case "more":
      write("src/a.txt", `${token} line\n`);
      return write(`src/new-${step.number}.txt`, `${token} new\n`);
    case "outside":
      write("src/a.txt", `${token} line\n`);
      return write("README", `${nameBad(step)} outside\n`);
    case "git":
      write("src/a.txt", `${token} line\n`);
      return write(".git/config", `[alias]\n\tx = ${nameBad(step)}\n`);
    case "delete":
      write("src/a.txt", `${token} line\n`);
      return files.rmSync(`${REPOSITORY}/src/b.txt`, { force: true });
    case "link":
      write("src/a.txt", `${token} line\n`);
      return files.symlinkSync("/etc/passwd", `${REPOSITORY}/src/link-${step.number}`);
    case "mode":
      write("src/a.txt", `${token} line\n`);
      return files.chmodSync(`${REPOSITORY}/src/b.txt`, 0o755);
  }
}
