/** The commands that people type all day: `--version`, `--help`, `status`, `history list` and `judge`. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchRepository, type End, makeRepository, rest, shrink } from "./bench-repository.ts";
import { lengthenHistory } from "./long-history.ts";
import { type Bench, emptyNode, type Group, NODE, only, perNode, type Row, type Subject } from "./rows.ts";
import { tickSubject } from "./tick-rows.ts";

const FILES = 100;
const TICKS = [10, 10_000] as const;
const GIT_STATUS = "git status";
const WAITING = "status, with a change to accept";
const BOTH = `(${GIT_STATUS} + ${NODE})`;

const plain = (title: string, words: readonly string[]): Row => ({
  title,
  words,
  value: only(title),
  divisors: [perNode],
  targets: [],
});

/** A target for the quotient with an empty Node. */
function wanted(row: Row, must: number, best: number): Row {
  return { ...row, targets: [{ against: NODE, must, best }] };
}

export const START_GROUP: Group = {
  title: "Start",
  rows: [
    plain(NODE, ["version", "help"]),
    wanted(plain("--version", ["version"]), 1.3, 1.1),
    wanted(plain("--help", ["help"]), 1.3, 1.1),
  ],
  prepare: async (bench) => ({
    subjects: [emptyNode(bench), ...["--version", "--help"].map((option) => start(bench, option))],
    missing: [],
  }),
};

function start({ relais, folder, env }: Bench, option: string): Subject {
  return { name: option, commands: [[relais, option]], cwd: folder, env, status: 0 };
}

const JUDGE: Row = {
  ...plain("judge of a small change", ["judge"]),
  divisors: [perNode, { title: BOTH, value: (read) => read(GIT_STATUS) + read(NODE) }],
  targets: [{ against: BOTH, must: 3, best: 2 }],
};

/** Beside the same after some ticks. */
function grown(command: string, row: Row): Row {
  const few = commandAfter(command, TICKS[0]);
  const divisors = [...row.divisors, { title: few, value: only(few) }];
  return { ...row, divisors, targets: [...row.targets, { against: few, must: 1.1, best: 1.03 }] };
}

const commandAfter = (command: string, ticks: number): string => `${command} after ${ticks} ticks`;

export const COMMAND_GROUP: Group = {
  title: `Commands, ${FILES} files`,
  rows: [
    ...TICKS.flatMap((ticks) => {
      const status = wanted(plain(commandAfter("status", ticks), ["status"]), 2, 1.5);
      const list = plain(commandAfter("history list", ticks), ["history"]);
      return ticks === TICKS[0] ? [status, list] : [grown("status", status), grown("history list", list)];
    }),
    wanted(plain(WAITING, ["status"]), 2, 1.5),
    plain(GIT_STATUS, ["judge"]),
    JUDGE,
  ],
  prepare: async (bench, names) => {
    const repositories = TICKS.filter((ticks) => [...names].some((name) => name.endsWith(` ${ticks} ticks`))).map(
      (ticks) => [ticks, openHistory(bench, ticks)] as const,
    );
    const waiting = makeRepository({ ...bench, name: "waiting", files: FILES });
    const judged = makeRepository({ ...bench, name: "judged", files: FILES });
    await rest();
    await tickOnce(bench, waiting, "accepted");
    appendFileSync(join(judged.root, "src/d0/f1.ts"), "export const more = 1;\n");
    const all = [
      emptyNode(bench),
      ...(await Promise.all(repositories.map(async ([ticks, made]) => [ticks, await made] as const))).flatMap(
        ([ticks, repository]) => [
          asked(bench, repository, { name: commandAfter("status", ticks), args: ["status"] }),
          asked(bench, repository, { name: commandAfter("history list", ticks), args: ["history", "list"] }),
        ],
      ),
      asked(bench, waiting, { name: WAITING, args: ["status"] }),
      { name: GIT_STATUS, commands: [["git", "status"]], cwd: judged.root, env: judged.env, status: 0 } as const,
      asked(bench, judged, { name: JUDGE.title, args: ["judge"] }),
    ];
    return { subjects: all.filter(({ name }) => names.has(name)), missing: [] };
  },
};

interface Asked {
  readonly name: string;
  readonly args: readonly string[];
}

function asked({ relais }: Bench, { root, env }: BenchRepository, { name, args }: Asked): Subject {
  return { name, commands: [[relais, ...args]], cwd: root, env, status: 0 };
}

const histories = new Map<string, Promise<BenchRepository>>();

/** A repository after so many ticks, made once for all rows. */
export function openHistory(bench: Bench, ticks: number): Promise<BenchRepository> {
  const name = `history-${ticks}`;
  const made = histories.get(name) ?? makeHistory(bench, name, shrink(ticks, bench.scale));
  histories.set(name, made);
  return made;
}

async function makeHistory(bench: Bench, name: string, ticks: number): Promise<BenchRepository> {
  const repository = makeRepository({ ...bench, name, files: FILES });
  await rest();
  await addHistory(bench, repository, ticks);
  return repository;
}

/** One real tick, its history told again as often as needed, and another real one, which remembers the status. */
export async function addHistory(bench: Bench, repository: BenchRepository, ticks: number): Promise<void> {
  await tickOnce(bench, repository, "committed");
  await lengthenHistory(repository, { ticks: ticks - 2, withFiles: true });
  await tickOnce(bench, repository, "committed");
}

async function tickOnce(bench: Bench, repository: BenchRepository, end: End): Promise<void> {
  const tick = tickSubject(bench, repository, { place: "in_place", sandbox: "off", end });
  await tick.before?.();
  await bench.meter.measure(tick);
}
