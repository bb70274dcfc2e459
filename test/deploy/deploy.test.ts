/** The files of deploy/: each is parsed, and each command of relais in it could be typed like that. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as v from "valibot";
import { parse } from "yaml";
import { commandFault } from "../support/doc-commands.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(ROOT, "deploy", name), "utf8");

const Container = v.looseObject({
  image: v.string(),
  args: v.array(v.string()),
  env: v.array(v.looseObject({ name: v.string(), value: v.string() })),
  volumeMounts: v.array(v.looseObject({ name: v.string(), mountPath: v.string() })),
});
const Pod = v.looseObject({
  restartPolicy: v.literal("Never"),
  automountServiceAccountToken: v.literal(false),
  securityContext: v.looseObject({ runAsNonRoot: v.literal(true) }),
  containers: v.tuple([Container]),
  volumes: v.array(v.looseObject({ name: v.string() })),
});
const JobBody = v.looseObject({ backoffLimit: v.literal(0), template: v.looseObject({ spec: Pod }) });
const KubernetesJob = v.looseObject({ apiVersion: v.literal("batch/v1"), kind: v.literal("Job"), spec: JobBody });
const KubernetesCronJob = v.looseObject({
  apiVersion: v.literal("batch/v1"),
  kind: v.literal("CronJob"),
  spec: v.looseObject({ schedule: v.string(), jobTemplate: v.looseObject({ spec: JobBody }) }),
});

test("the Job and the CronJob of Kubernetes run the same worker, with the invitation where the entrypoint reads it", () => {
  const { spec } = v.parse(KubernetesJob, parse(read("kubernetes-job.yaml")));
  const cron = v.parse(KubernetesCronJob, parse(read("kubernetes-cronjob.yaml")));
  expect(cron.spec.jobTemplate.spec).toEqual(spec);
  const [worker] = spec.template.spec.containers;
  expect(commandFault(`relais worker --once ${worker.args.join(" ")}`)).toBeNull();
  const [mount] = worker.volumeMounts;
  expect(worker.env).toEqual([{ name: "RELAIS_INVITATION", value: `${mount?.mountPath}/invitation` }]);
  expect(spec.template.spec.volumes.map(({ name }) => name)).toEqual([mount?.name]);
  expect(read("entrypoint.sh")).toContain("${RELAIS_INVITATION:-");
});

const Workflow = v.looseObject({
  jobs: v.record(v.string(), v.looseObject({ steps: v.array(v.looseObject({ run: v.optional(v.string()) })) })),
});

test("the workflow of GitHub names real commands, and no secret is an argument", () => {
  const { jobs } = v.parse(Workflow, parse(read("github-worker.yml")));
  const lines = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = "" }) => run.split("\n")));
  expect(lines.filter((line) => line.startsWith("relais "))).toEqual([
    "relais queue join invitation.json",
    "relais worker --once --unsandboxed",
  ]);
  expect(lines.map(commandFault)).toEqual(lines.map(() => null));
  expect(lines.filter((line) => line.includes("secrets."))).toEqual([]);
});

test("the unit of systemd has sections of keys, and starts a real command", () => {
  const lines = read("relais-worker.service")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.filter((line) => !/^(?:\[\w+\]|[A-Z]\w+=.+)$/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith("["))).toEqual(["[Unit]", "[Service]", "[Install]"]);
  expect(lines).toEqual(expect.arrayContaining(["KillSignal=SIGINT", "Restart=always"]));
  const [start = ""] = lines.filter((line) => line.startsWith("ExecStart="));
  expect(start).toMatch(/^ExecStart=\/usr\/bin\/env relais worker /);
  expect(commandFault(start.replace("ExecStart=/usr/bin/env ", ""))).toBeNull();
});

test("the image has its files, its entrypoint and options of the worker", () => {
  const lines = read("Dockerfile").replaceAll("\\\n", " ").split("\n");
  const steps = lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(" "));
  const known = ["FROM", "ARG", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD"];
  expect(steps.filter(([name = ""]) => !known.includes(name))).toEqual([]);
  const sources = steps.flatMap(([name, source = ""]) => (name === "COPY" ? [source] : []));
  expect(sources.filter((path) => !path.startsWith("$") && !existsSync(join(ROOT, path)))).toEqual([]);
  const words = (name: string): readonly string[] =>
    v.parse(v.array(v.string()), JSON.parse((steps.find(([first]) => first === name) ?? []).slice(1).join(" ")));
  expect(words("ENTRYPOINT")).toEqual(["/usr/local/bin/relais-entrypoint"]);
  expect(commandFault(`relais worker --once ${words("CMD").join(" ")}`)).toBeNull();
});

test("the entrypoint can be executed, and every command of relais in it is real", () => {
  expect(statSync(join(ROOT, "deploy/entrypoint.sh")).mode & 0o111).toBe(0o111);
  const lines = read("entrypoint.sh")
    .split("\n")
    .map((line) => line.replace(/^exec /, "").replace(' "$@"', ""));
  expect(lines.filter((line) => line.startsWith("relais "))).toHaveLength(2);
  expect(lines.map(commandFault)).toEqual(lines.map(() => null));
});

test("no file is left untried", () => {
  expect(readdirSync(join(ROOT, "deploy")).toSorted()).toEqual([
    "Dockerfile",
    "entrypoint.sh",
    "github-worker.yml",
    "kubernetes-cronjob.yaml",
    "kubernetes-job.yaml",
    "relais-worker.service",
  ]);
});
