/** The remedies that doctor names, for refusals that are provoked here. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { environmentOf, executable } from "../support/relais.ts";
import { scratchRepository, type ScratchRepository } from "../support/scratch-repository.ts";

const isRoot = process.getuid?.() === 0;
const ORDINARY = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const OWN_NAMESPACE = "unshare --user --map-current-user --keep-caps".split(" ");
const [program = "unshare", ...options] = [...ORDINARY, ...OWN_NAMESPACE];
const hasNamespaces = spawnSync(program, [...options, "true"]).status === 0;

interface Fixes {
  readonly isolation: string | null;
  readonly sandbox: string | null;
}

async function askDoctor({ root, box }: ScratchRepository, around: readonly string[]): Promise<Fixes> {
  const [file, ...args] = [...around, process.execPath, executable, "doctor", "--json"];
  const env = environmentOf({ cwd: root, env: { PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(box, "state") } });
  const { stdout } = await promisify(execFile)(file, args, { cwd: root, env }).catch((error) => Object(error));
  const { checks } = JSON.parse(String(stdout));
  const fixOf = (name: string) => checks.find(({ subject }: { subject: string }) => subject === name).fix;
  return { isolation: fixOf("isolation"), sandbox: fixOf("sandbox") };
}

function makeRepository(): ScratchRepository {
  const repository = scratchRepository({ "src/a.txt": "1\n" });
  if (isRoot) execFileSync("chown", ["-R", "65534:65534", repository.box]);
  return repository;
}

test.runIf(isRoot)("without the right to mount, as in a container", async () => {
  const around = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"];
  const expected = expect.stringMatching(/^A container refuses namespaces: .*seccomp=unconfined/u);
  expect(await askDoctor(scratchRepository({ "src/a.txt": "1\n" }), around)).toEqual({
    isolation: expected,
    sandbox: expected,
  });
});

test.runIf(hasNamespaces)("where user namespaces are switched off", async () => {
  const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --inh-caps=-all --ambient-caps=-all "$@"';
  const around = [...ORDINARY, ...OWN_NAMESPACE, "sh", "-c", script, "sh"];
  const expected = expect.stringMatching(/^User namespaces are switched off: .*user\.max_user_namespaces/u);
  expect(await askDoctor(makeRepository(), around)).toEqual({ isolation: expected, sandbox: expected });
});

test.runIf(isRoot && hasNamespaces)("where the state directory lies on an overlay", async () => {
  const repository = makeRepository();
  const { box } = repository;
  const [lower, upper, work, state] = ["lower", "upper", "work", "state"].map((name) => join(box, name));
  for (const folder of [lower, upper, work, state]) mkdirSync(String(folder), { mode: 0o777 });
  const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  execFileSync("mount", ["-t", "overlay", "relais-test", "-o", layers, String(state)]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", String(state)]));
  execFileSync("chown", ["65534:65534", String(state)]);
  const { isolation } = await askDoctor(repository, ORDINARY);
  expect(isolation).toMatch(/^The state directory lies where no overlay can be, .*XDG_STATE_HOME/u);
});
