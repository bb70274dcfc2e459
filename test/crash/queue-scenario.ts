/**
 * A job from submit over a worker to its fetched branch: once submitted it is not lost, its branch is made once, and the person's
 * files stay as they are. A job of one tick that was cut short is done again, with one more session; one that is done is not.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Walk } from "../support/walker.ts";
import { named, runPastLock } from "./aftermath.ts";
import type { Before, Scenario } from "./scenario.ts";
import { changedBetween, openSite, type Ran, type Site, taskOf } from "./site.ts";

const AGENT = 'echo builder >> "${0%/*}/sessions"\necho ok > src/x.ts\n';
const WORKER = ["worker", "--drain", "--unsandboxed"];
const SUBMIT = ["submit", "task", "../../job.json"];

export const queueScenario: Scenario = {
  name: "job: submit, worker, fetch",
  place: "queue of one user",
  open: async (executable) => {
    const site = await openSite(executable, "accepted", { isolation: "in_place", sandbox: "off" });
    const { box, root } = site;
    const path = join(root, "relais.config.json");
    const own: object = JSON.parse(readFileSync(path, "utf8"));
    const builder = { default_mode: "command", command: { command: "sh", args: [join(box, "agent.sh")] } };
    writeFileSync(path, JSON.stringify({ ...own, builder }));
    writeFileSync(join(box, "agent.sh"), AGENT);
    const task = { ...taskOf("ok"), builder: { mode: "command", max_turns: 1, instructions: "Make x ok." } };
    writeFileSync(join(box, "job.json"), JSON.stringify(task));
    site.git("commit", "--quiet", "--all", "--message", "a builder");
    return site;
  },
  argv: ({ executable, box }) => {
    const relais = (args: readonly string[]): string => [process.execPath, executable, ...args].join(" ");
    return ["sh", "-ec", `${relais(SUBMIT)}\n: > ${box}/acknowledged\n${relais(WORKER)}\n${relais(["fetch", "job-"])}`];
  },
  isGood: (said) => /Jobs: 1 done/.test(said),
  /** A look at the queue changes nothing; what a worker makes of it is tried afterwards. */
  recover: async (site) => {
    const { listed, jobs } = await listJobs(site);
    const outcome = jobs.length === 0 ? "no job" : (jobs[0]?.phase ?? "unknown");
    const isLost = jobs.length === 0 && existsSync(join(site.box, "acknowledged"));
    const failures = [
      ...(listed.status === 0 ? [] : [`queue: ${listed.status} ${listed.stdout}${listed.stderr}`]),
      ...(isLost ? ["the job is lost"] : []),
      ...(jobs.length > 1 ? ["there are two jobs"] : []),
    ];
    return { outcome, failures };
  },
  goOn,
};

interface Job {
  readonly phase?: string;
}

async function listJobs(site: Site): Promise<{ readonly listed: Ran; readonly jobs: readonly Job[] }> {
  const listed = await site.relais(["queue", "--json"]);
  if (listed.status !== 0) return { listed, jobs: [] };
  const { jobs }: { readonly jobs: readonly Job[] } = JSON.parse(listed.stdout);
  return { listed, jobs };
}

async function goOn(site: Site, { files }: Before): Promise<readonly string[]> {
  const [{ jobs }, began] = [await listJobs(site), countSessions(site)];
  const allowed = jobs[0]?.phase === "done" ? began : began + 1;
  if (jobs.length === 0) await site.relais(SUBMIT);
  const worked = await site.relais(WORKER);
  const fetched = await runPastLock(site, ["fetch", "job-", "--json"]);
  const again = await site.relais(["fetch", "job-", "--json"]);
  return [
    ...(worked.status === 0 ? [] : [`worker: ${worked.status} ${worked.stdout}${worked.stderr}`]),
    ...(fetched.status === 0 ? [] : [`fetch: ${fetched.status} ${fetched.stdout}${fetched.stderr}`]),
    ...(again.stdout.includes('"state":"same"') ? [] : [`second fetch: ${again.stdout}${again.stderr}`]),
    ...branchProblems(site),
    ...(countSessions(site) <= allowed ? [] : [`${countSessions(site)} sessions after ${began}`]),
    ...named("the person's files", changedBetween(withoutGit(files), withoutGit(site.lookAtFiles()))),
  ];
}

/** There is one branch, with one commit. */
function branchProblems(site: Site): readonly string[] {
  const branches = site.git("for-each-ref", "--format=%(refname)", "refs/heads/relais").split("\n").slice(0, -1);
  const [branch = "HEAD"] = branches;
  return [
    ...(branches.length === 1 ? [] : [`branches: ${branches.join(" ")}`]),
    ...(site.git("rev-list", "--count", `HEAD..${branch}`).trim() === "1" ? [] : ["it is not one commit"]),
    ...(site.git("show", `${branch}:src/x.ts`) === "ok\n" ? [] : ["it is not the change that was made"]),
  ];
}

function countSessions({ box }: Site): number {
  const path = join(box, "sessions");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

/** A fetched branch is new in git's data, and nowhere else. */
function withoutGit({ entries, git }: Walk): Walk {
  return { entries: new Map([...entries].filter(([name]) => !name.startsWith("./repo/.git"))), git };
}
