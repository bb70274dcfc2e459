/** JUnit XML that a runner printed. The end is the closing tag of the first suite, or of the group of suites. */
import { isFileName, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

const TAG_CHARS = 2000;

export function readJunitXml({ longLines }: RunnerOutput): readonly RunReading[] {
  const text = longLines.join("\n");
  const readings: RunReading[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("<testsuite", from);
    if (start === -1) return readings;
    const closing = text.startsWith("<testsuites", start) ? "</testsuites>" : "</testsuite>";
    const close = text.indexOf(closing, start);
    const end = close === -1 ? text.length : close;
    const isEmpty = close === -1 && /^<testsuites?\b[^<>]{0,2000}\/>/.test(text.slice(start, start + TAG_CHARS));
    readings.push(readCases(text.slice(start, end), close !== -1 || isEmpty));
    from = end + closing.length;
  }
}

function readCases(text: string, isClosed: boolean): RunReading {
  const run = new OpenRun("JUnit XML");
  for (const part of text.split("<testcase").slice(1)) {
    const tag = part.slice(0, TAG_CHARS);
    const body = part.slice(0, part.indexOf("</testcase>") + 1);
    const name = readAttribute(tag, "name");
    const state = /^[^<>]*\/>/.test(tag) ? "passed" : readState(body);
    run.add(joinName(readAttribute(tag, "classname"), name), state);
    if (state === "passed" && isFileName(name)) run.silentFiles.push(name);
  }
  const counted = countTests(text);
  const isComplete = isClosed && (counted === null || counted === run.tests.length);
  return run.end({ counts: run.countListed(), namesKnown: "all", isComplete });
}

/** Of the outer tag. Whether an inner one counts the tests of suites in it depends on the runner. */
function countTests(text: string): number | null {
  const tag = text.slice(0, Math.max(0, text.indexOf(">"))).slice(0, TAG_CHARS);
  const count = readAttribute(tag, "tests");
  return /^\d{1,9}$/.test(count) ? Number(count) : null;
}

function readState(body: string): "passed" | "failed" | "skipped" {
  if (body.includes("<failure") || body.includes("<error")) return "failed";
  return body.includes("<skipped") ? "skipped" : "passed";
}

const joinName = (group: string, name: string): string => (group === "" ? name : `${group} > ${name}`);

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function readAttribute(tag: string, key: string): string {
  const start = tag.indexOf(` ${key}="`);
  if (start === -1) return "";
  const from = start + key.length + 3;
  const value = tag.slice(from, Math.max(from, tag.indexOf('"', from)));
  return value.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity] ?? "");
}
