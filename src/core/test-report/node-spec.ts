/**
 * node:test with its spec reporter. Every test and suite has one closing line with its time, so the footer's tests and
 * suites together must equal the number of these lines.
 */
import { type NodeFooter, readNodeFooter } from "./node-footer.ts";
import { CUT, isFileName, OpenRun, type RunnerOutput, type RunReading } from "./run-reading.ts";

/** Output without a line break at its end can stand before the mark. */
const RESULT = /^([^✔✖﹣⚠▶]*)([✔✖﹣⚠▶]) (.*) \(\d{1,12}(?:\.\d{1,12})?ms\)(?: # (.*))?$/;
const GROUP = /^( *)▶ (.*)$/;

interface SpecRun {
  readonly run: OpenRun;
  /** The open groups, from the outside in. */
  readonly groups: { readonly name: string; readonly depth: number }[];
  closed: number;
}

const openSpec = (): SpecRun => ({ run: new OpenRun("node:test"), groups: [], closed: 0 });

export function readNodeSpec({ lines }: RunnerOutput): readonly RunReading[] {
  const readings: RunReading[] = [];
  let open = openSpec();
  let lastText = "";
  for (const [index, line] of lines.entries()) {
    if (line === CUT) open.run.isCut = true;
    const footer = readNodeFooter(lines, index, "ℹ ");
    if (footer !== null && open.run.agrees(open.closed, footer.tests + footer.suites)) {
      readings.push(endSpec(open, footer));
      open = openSpec();
    } else if (!lastText.startsWith("test at ")) readSpecLine(open, line);
    if (line.trim() !== "") lastText = line;
  }
  const isSpec = open.run.tests.length > 0;
  return isSpec ? [...readings, open.run.interrupt()] : readings;
}

function readSpecLine(open: SpecRun, line: string): void {
  const [, before = "", mark, name = "", note] = RESULT.exec(line) ?? [];
  if (mark === undefined) {
    const [, indent, group = ""] = GROUP.exec(line) ?? [];
    if (indent !== undefined) openGroup(open, indent.length, group);
    return;
  }
  // The tests of mocha have a time only if they are slow, and are indented.
  const depth = before.trim() === "" ? before.length : 0;
  if (depth > 0 && open.groups.length === 0) return;
  open.closed += 1;
  while ((open.groups.at(-1)?.depth ?? -1) > depth) open.groups.pop();
  const group = open.groups.at(-1);
  if (group?.depth === depth && group.name === name) {
    open.groups.pop();
    return;
  }
  const path = [...open.groups.map((one) => one.name), name].join(" > ");
  const isTodo = note !== undefined && mark !== "✖";
  const state = mark === "﹣" || isTodo ? "skipped" : mark === "✖" ? "failed" : "passed";
  open.run.add(path, state);
  if (state === "passed" && isFileName(path)) open.run.silentFiles.push(path);
}

function openGroup(open: SpecRun, depth: number, name: string): void {
  while ((open.groups.at(-1)?.depth ?? -1) >= depth) open.groups.pop();
  if (open.groups.length < 20) open.groups.push({ name: name.slice(0, 100), depth });
}

function endSpec(open: SpecRun, { counts }: NodeFooter): RunReading {
  return open.run.end({ counts, namesKnown: open.run.isCut ? "some" : "all", isComplete: true });
}
