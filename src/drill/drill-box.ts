/** The box of one builder: a copy of the template with its configuration, its task and its program. */
import { extname, join } from "node:path";
import * as v from "valibot";
import { Report } from "../records/report.ts";
import type { Environment } from "../base/environment.ts";
import { layOver, makeDrillConfig } from "./pure/drill-config.ts";
import type { DrillRemedy } from "./pure/drill-result.ts";
import type { Turn } from "./pure/choose-builders.ts";
import { DRILL_TASK, findInterpreter } from "./pure/drill-stage.ts";
import type { DrillReading } from "./pure/judge-builder.ts";
import { runRelais } from "../process/run-relais.ts";
import { callIn, type CallProgram } from "./call-program.ts";
import { compareListings, endStrays, listPlainly, type PlainListing, putFiles } from "./plain-listing.ts";
import { readNow } from "../system/read-files.ts";
import { makeBoxEnvironment, REPOSITORY } from "./drill-template.ts";

const TEXT_BYTES_MAX = 16 * 1024 * 1024;

export interface BoxRequest {
  readonly template: string;
  readonly box: string;
  readonly turn: Turn;
  readonly own: unknown;
  readonly remedy: DrillRemedy | null;
  readonly relais: readonly [node: string, executable: string];
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Runs the tick of one builder, and looks at everything before and after it. */
export async function playTurn(request: BoxRequest): Promise<DrillReading & { readonly sandbox: string | null }> {
  const { box, turn, signal, environment, relais } = request;
  const root = join(box, REPOSITORY);
  const env = { ...makeBoxEnvironment(box, environment), ...fillPath(turn.builder.env, environment) };
  await fillBox(request, env);
  const before = look(box);
  const call = (...args: string[]) =>
    runRelais({
      relais,
      args,
      cwd: root,
      environment: env,
      input: "",
      bytesMax: TEXT_BYTES_MAX,
      onLine: () => {},
      signal,
    });
  const ran = await call("run", "--task", join(box, "task.json"));
  const isCut = typeof ran.end === "string" && turn.builder.recovered !== null;
  if (isCut) await recover(turn, call);
  const strays = await endStrays(box);
  const seen = inspect({ box, root, before, isCut, stdout: ran.stdout });
  const isCommitted = seen.report?.code === "SUCCESS" && seen.inGit.length > 0;
  const committed = isCommitted ? await listCommitted(callIn(root, env, signal)) : null;
  return { ...seen, committed, strays: strays.map(({ command }) => command) };
}

/** The paths of the newest commit, by git; null if relais did not make it. */
async function listCommitted(call: CallProgram): Promise<readonly string[] | null> {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  const message = await call("git", [...safe, "log", "-1", "--format=%B"]);
  if (!message.includes(`Relais-Task: ${DRILL_TASK.task_id}`)) return null;
  const names = await call("git", [...safe, "show", "--format=", "--name-only", "--no-renames", "-z", "HEAD"]);
  return names.split("\0").filter((name) => name !== "");
}

type CallRelais = (...args: string[]) => Promise<unknown>;

async function recover({ builder }: Turn, call: CallRelais): Promise<void> {
  await call("recover");
  if (builder.recovered === "asked") await call("recover", "--yes");
}

async function fillBox(request: BoxRequest, env: Readonly<Record<string, string>>): Promise<void> {
  const { template, box, turn, own, remedy, relais, signal } = request;
  const { builder, place } = turn;
  const root = join(box, REPOSITORY);
  await callIn(template, env, signal)("cp", ["-a", template, box]);
  const extension = extname(builder.file);
  const program = join(box, `builder${extension}`);
  const command = { command: findInterpreter(extension, relais[0]), args: [program] };
  const config = makeDrillConfig({ own, builder, place, command, remedy });
  putFiles(root, { "relais.config.json": `${JSON.stringify(config, null, 2)}\n`, ...builder.files });
  putFiles(box, { "task.json": JSON.stringify(makeTask(builder.task)), [`builder${extension}`]: builder.program });
  const call = callIn(root, env, signal);
  await call("git", ["add", "--all"]);
  await call("git", ["commit", "--quiet", "--message", "the stage"]);
  if (builder.before !== null) await call("sh", ["-ec", builder.before]);
}

const Checked = v.looseObject({
  verification: v.looseObject({ fast: v.array(v.string()), slow: v.array(v.string()) }),
});

/** Its checks fail before the build, and the work is to make them pass. */
function makeTask(own: object): unknown {
  const { verification, ...others } = v.parse(Checked, layOver(DRILL_TASK, own));
  return { fixes: [...verification.fast, ...verification.slow], ...others, verification };
}

/** `$PATH` in a variable of a builder is the usual one. */
function fillPath(variables: Readonly<Record<string, string>>, { PATH = "/usr/bin:/bin" }: Environment) {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value.replaceAll("$PATH", PATH)]));
}

/** What belongs to relais or to the drill itself. What relais leaves among the temporary files is not left out. */
const NOT_LOOKED_AT =
  /^\.\/(?:state\/relais(?:\/|$)|pids\/|builder\.|place\/repo\/relais\/(?:(?:(?:STATE|TASK|REPORT|BLOCKED)\.json|REPORT\.md|ledger\.jsonl)$|history(?:\/|$)))/;

function look(box: string): PlainListing {
  return new Map([...listPlainly(box)].filter(([name]) => !NOT_LOOKED_AT.test(name)));
}

interface Inspection {
  readonly box: string;
  readonly root: string;
  readonly before: PlainListing;
  readonly isCut: boolean;
  readonly stdout: string;
}

const INSIDE = `./${REPOSITORY}/`;
const GIT_DATA = `./${REPOSITORY}/.git`;
/** A relais that was killed could not remove it; it is stale, and the next one takes it over. */
const STALE_LOCK = `${INSIDE}relais/lock.json: `;
/** What a terminal would obey, or what would show text in another order than it is written. */
// eslint-disable-next-line no-control-regex -- These are what it is about.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function inspect({ box, root, before, isCut, stdout }: Inspection) {
  const found = compareListings(before, look(box)).filter((line) => !isCut || !line.startsWith(STALE_LOCK));
  const inGit = found.filter((line) => line.startsWith(GIT_DATA) && /^(?:\/|: )/u.test(line.slice(GIT_DATA.length)));
  const inside = found.filter((line) => line.startsWith(INSIDE) && !inGit.includes(line));
  const text = (path: string): string | null => readText(join(root, path));
  const report = readReport(text("relais/REPORT.json"));
  return {
    report,
    sandbox: report?.sandbox ?? null,
    inside: inside.map((line) => line.slice(INSIDE.length)),
    inGit: inGit.map((line) => line.slice(GIT_DATA.length + 1)),
    outside: nameAreas(found.filter((line) => !line.startsWith(INSIDE) && !line.startsWith(GIT_DATA))),
    answer: text("src/main.ts"),
    isUnsafe: CONTROL.test(stdout) || CONTROL.test(text("relais/REPORT.md") ?? ""),
  };
}

/** By place only: a push, for instance, writes objects with names of their own. */
function nameAreas(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.map((line) => line.replace(/^(\.\/[^/]+\/[^/:]+).*$/u, "$1").replace(/:.*$/u, "")))];
}

function readText(path: string): string | null {
  try {
    return readNow(path, { bytesMax: TEXT_BYTES_MAX })?.toString("utf8") ?? null;
  } catch {
    return null; // No ordinary file.
  }
}

function readReport(text: string | null): Report | null {
  try {
    const parsed = v.safeParse(Report, JSON.parse(text ?? ""));
    return parsed.success ? parsed.output : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
