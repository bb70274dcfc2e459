/**
 * What action.yml runs: judges the commits of a pull request and shows the report as the summary of the job.
 *
 * Everything about a pull request is somebody else's text. It reaches the summary in code spans only, and the log only
 * through the escapes that keep it from being taken for a command of the workflow.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { renderCodeSpan, renderProseSpan } from "../src/base/code-span.ts";

const SHOWN_MAX = 50;
const USAGE_STATUS = 2;
const INTERNAL_STATUS = 1;

const Sha = v.string();
const Event = v.looseObject({
  before: v.optional(Sha),
  after: v.optional(Sha),
  pull_request: v.optional(v.looseObject({ base: v.looseObject({ sha: Sha }), head: v.looseObject({ sha: Sha }) })),
  merge_group: v.optional(v.looseObject({ base_sha: Sha, head_sha: Sha })),
});

const Answer = v.looseObject({
  verdict: v.optional(v.string()),
  code: v.optional(v.nullable(v.string())),
  message: v.optional(v.nullable(v.string())),
  problems: v.optional(v.array(v.string()), []),
  findings: v.optional(
    v.array(
      v.looseObject({
        code: v.string(),
        subject: v.string(),
        rule: v.string(),
        glob: v.nullable(v.string()),
      }),
    ),
    [],
  ),
  notes: v.optional(v.array(v.string()), []),
  blast_radius: v.optional(
    v.looseObject({ files_touched: v.number(), lines_added: v.number(), lines_deleted: v.number() }),
  ),
});
type Answer = v.InferOutput<typeof Answer>;

const env = (name: string): string => process.env[name]?.trim() ?? "";

function main(): number {
  const range = rangeOf();
  if (range === null) {
    const message =
      "Neither `base` and `head` nor a pull request, a merge queue or a push say what is to be judged; a push that makes a branch says only its end, and needs `base`.";
    append("GITHUB_STEP_SUMMARY", `## relais judge: ${renderCodeSpan("no answer")}\n\n${message}\n`);
    say("error", message);
    return USAGE_STATUS;
  }
  const { status, answer } = judge(range);
  const verdict = answer.verdict ?? "blocked";
  append("GITHUB_STEP_SUMMARY", `${summary(answer, range)}\n`);
  append("GITHUB_OUTPUT", `verdict=${word(verdict)}\ncode=${word(answer.code ?? "none")}\n`);
  for (const { subject, rule, code } of answer.findings.slice(0, SHOWN_MAX))
    say("error", `${subject}: ${rule}`, `file=${property(subject)},title=${property(code)}`);
  if (status !== 0 && answer.findings.length === 0) say("error", reasonOf(answer));
  process.stdout.write(`relais judge: ${word(verdict)} ${word(answer.code ?? "")}\n`);
  return status;
}

/** As the inputs say, else as the event says that started the workflow. */
function rangeOf(): string | null {
  const path = env("GITHUB_EVENT_PATH");
  const event = path === "" ? {} : v.parse(Event, JSON.parse(readFileSync(path, "utf8")));
  const base = firstSaid(env("RELAIS_BASE"), event.pull_request?.base.sha, event.merge_group?.base_sha, event.before);
  const head = firstSaid(env("RELAIS_HEAD"), event.pull_request?.head.sha, event.merge_group?.head_sha, event.after);
  return base === null || head === null ? null : `${base}..${head}`;
}

/** A forge writes zeros where a branch was not there before a push, or is not any more. */
const NOTHING = /^0*$/;

function firstSaid(...texts: readonly (string | undefined)[]): string | null {
  return texts.find((text) => text !== undefined && !NOTHING.test(text)) ?? null;
}

function judge(range: string): { readonly status: number; readonly answer: Answer } {
  const relais = join(env("GITHUB_ACTION_PATH") || process.cwd(), "dist/relais.cjs");
  const more = env("RELAIS_ARGUMENTS")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const place = env("GITHUB_WORKSPACE") || process.cwd();
  const args = [relais, "judge", `--range=${range}`, "--json", "--cwd", place, ...more];
  const ran = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  try {
    return { status: ran.status ?? INTERNAL_STATUS, answer: v.parse(Answer, JSON.parse(ran.stdout)) };
  } catch {
    const message = `relais did not answer: ${ran.stderr.slice(0, 2000)}`;
    return { status: INTERNAL_STATUS, answer: v.parse(Answer, { message }) };
  }
}

function summary(answer: Answer, range: string): string {
  const { findings, notes, blast_radius: size } = answer;
  const shown = findings.slice(0, SHOWN_MAX);
  return [
    `## relais judge: ${renderCodeSpan(answer.code ?? "no answer")}`,
    "",
    `${renderCodeSpan(range)}${size === undefined ? "" : `: ${size.files_touched} files, +${size.lines_added} −${size.lines_deleted}`}`,
    "",
    ...(answer.message === null || answer.message === undefined ? [] : [renderProseSpan(reasonOf(answer)), ""]),
    ...(shown.length === 0 ? [] : ["| what | rule | glob |", "| --- | --- | --- |"]),
    ...shown.map(
      ({ subject, rule, glob }) =>
        `| ${cell(renderCodeSpan(subject))} | ${cell(renderProseSpan(rule))} | ${glob === null ? "" : cell(renderCodeSpan(glob))} |`,
    ),
    ...(findings.length > shown.length ? ["", `and ${findings.length - shown.length} more`] : []),
    "",
    ...notes.slice(0, SHOWN_MAX).map((note) => `- ${renderProseSpan(note)}`),
  ].join("\n");
}

function reasonOf({ message, problems }: Answer): string {
  const said = [message ?? "relais judge did not pass.", ...problems].join(" ");
  const isShallow = /unknown revision|no such commit|does not exist|not a commit|no commit/i.test(said);
  return isShallow ? `${said} Check out with fetch-depth: 0, so that both commits are there.` : said;
}

const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);

function append(variable: string, text: string): void {
  const path = env(variable);
  if (path !== "") appendFileSync(path, text);
}

/** A value of an output is one line; a code or a verdict has no other characters. */
const word = (text: string): string => text.replaceAll(/[^\w-]/g, "");

const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

function say(level: "error", text: string, properties = ""): void {
  process.stdout.write(`::${level}${properties === "" ? "" : ` ${properties}`}::${data(text)}\n`);
}

process.exitCode = main();
