/** The command line of the bench. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gitEnvironment } from "../../test/support/repositories.ts";
import { install, pack } from "../../test/support/installed.ts";
import { chooseRows, listWords } from "./choose-rows.ts";
import { COMMAND_GROUP, START_GROUP } from "./command-rows.ts";
import { LOOP_GROUP } from "./loop-rows.ts";
import { writeCounts } from "./count-section.ts";
import { writePrompts } from "./prompt-section.ts";
import { describeMachine } from "./machine.ts";
import { openMeter } from "./meter.ts";
import { runRounds } from "./rounds.ts";
import { fleetGroup } from "./fleet-rows.ts";
import { QUEUE_GROUP } from "./queue-rows.ts";
import { type Bench, type Group, listSubjects, type Peer } from "./rows.ts";
import { FLOOD_GROUP, HISTORY_GROUP, TREE_GROUP } from "./scale-rows.ts";
import { writeRow, writeTable } from "./table.ts";
import { SIZES, tickGroup } from "./tick-rows.ts";
import { type Part, writePage } from "./write-page.ts";

/** What is counted instead of timed. */
const SECTIONS = [
  { title: "Counts", word: "counts", write: writeCounts },
  { title: "Prompts", word: "prompts", write: writePrompts },
];
const USAGE =
  "usage: npm run bench -- [WORD]... [--runs N] [--dir DIR] [--peer NAME=COMMAND]... [--program FILE] [--write | --small]";
/** With `--small` every size is divided by this. */
const SMALL = 200;

export async function runBench(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: "string", default: "7" },
      dir: { type: "string", default: tmpdir() },
      peer: { type: "string", multiple: true, default: [] },
      program: { type: "string" },
      write: { type: "boolean", default: false },
      small: { type: "boolean", default: false },
    },
  });
  const peers = values.peer.map(readPeer);
  const groups = listGroups(peers);
  refuseUnknown(positionals, groups);
  mkdirSync(values.dir, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(resolve(values.dir), "relais-bench-")));
  try {
    const bench = openBench({
      folder,
      peers,
      runs: values.small ? 1 : Number(values.runs),
      program: values.program,
      scale: values.small ? SMALL : 1,
    });
    const machine = describeMachine(bench);
    console.log(values.small ? `${machine} Every size is divided by ${SMALL}.` : machine);
    const parts: Part[] = [];
    for (const group of groups) parts.push(...(await measureGroup(bench, group, positionals)));
    for (const { title, word, write } of SECTIONS)
      if (isChosen(word, positionals)) parts.push(show(title, await write(bench, positionals)));
    const titles = [...groups, ...SECTIONS].map(({ title }) => title);
    if (values.write && !values.small) writePage({ machine, parts, titles });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function listGroups(peers: readonly Peer[]): readonly Group[] {
  const sizes = [{ files: SIZES[0], isBare: true }, ...SIZES.map((files) => ({ files, isBare: false }))];
  const ticks = sizes.map((size) => tickGroup(size, peers));
  const queues = [QUEUE_GROUP, fleetGroup()];
  return [START_GROUP, COMMAND_GROUP, ...ticks, LOOP_GROUP, ...queues, HISTORY_GROUP, TREE_GROUP, FLOOD_GROUP];
}

function refuseUnknown(words: readonly string[], groups: readonly Group[]): void {
  const known = [...listWords(groups.flatMap(({ rows }) => rows)), ...SECTIONS.map(({ word }) => word)];
  const unknown = words.filter((word) => !known.includes(word));
  if (unknown.length > 0)
    throw new Error(`no row is called ${unknown.join(", ")}\n${USAGE}\nwords: ${known.join(" ")}`);
}

function readPeer(text: string): Peer {
  const at = text.indexOf("=");
  if (at < 1) throw new Error(`--peer ${text}: write NAME=COMMAND`);
  return { name: text.slice(0, at), command: text.slice(at + 1) };
}

interface BenchRequest extends Pick<Bench, "folder" | "peers" | "runs" | "scale"> {
  /** An executable to measure instead of the installed package. */
  readonly program: string | undefined;
}

/** The environment is made from nothing, so variables that slow Node down (NODE_EXTRA_CA_CERTS) are not in it. */
function openBench({ folder, peers, runs, program, scale }: BenchRequest): Bench {
  if (!(runs >= 1)) throw new Error("--runs takes a number from 1");
  const relais = program === undefined ? installPackage(folder) : resolve(program);
  const meter = openMeter(folder, stopOnSignal(folder));
  return { folder, relais, env: gitEnvironment(folder), meter, peers, runs, scale };
}

/** A signal ends what is being measured, and removes the folder. */
function stopOnSignal(folder: string): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);
  return controller.signal;
}

function installPackage(folder: string): string {
  const built = join(folder, "built");
  execFileSync(process.execPath, ["scripts/build.mjs", built], { stdio: "inherit", timeout: 120_000 });
  const place = join(folder, "installed");
  install(pack(resolve("."), built, folder), place);
  return join(place, "node_modules/.bin/relais");
}

async function measureGroup(bench: Bench, group: Group, words: readonly string[]): Promise<readonly Part[]> {
  const rows = chooseRows(group.rows, words);
  if (rows.length === 0) return [];
  const { subjects, missing, close } = await group.prepare(bench, listSubjects(rows));
  const samples = await runRounds(bench, subjects).finally(close);
  const measured = rows.filter((row) => [...listSubjects([row])].every((name) => samples.has(name)));
  const table = writeTable(measured.map((row) => writeRow(row, samples)));
  const remarks = missing.map((one) => `Not measured: ${one}.`);
  return [show(group.title, [`Medians of ${bench.runs} runs, with their quartiles.`, table, ...remarks].join("\n\n"))];
}

function isChosen(word: string, words: readonly string[]): boolean {
  return words.length === 0 || words.includes(word);
}

function show(title: string, body: string): Part {
  const text = `### ${title}\n\n${body}`;
  console.log(`\n${text}`);
  return { title, text };
}
