/** Whole ticks with an instant agent and one check, by size, workplace, sandbox and end, beside the floor and peers. */
import { type BenchRepository, type End, ENDS, makeRepository, rest } from "./bench-repository.ts";
import type { Command } from "./meter.ts";
import { type Bench, emptyNode, FLOOR, type Group, NODE, only, perNode, type Row, type Subject } from "./rows.ts";

export const SIZES = [100, 10_000, 100_000] as const;
/** Without ignored files, as other programs are measured. */
const BARE_WORD = "bare";

interface Size {
  readonly files: number;
  readonly isBare: boolean;
}

const describeSize = ({ files, isBare }: Size): string => `${files} files${isBare ? ", none ignored" : ""}`;
const listSizeWords = ({ files, isBare }: Size): readonly string[] => [
  "tick",
  String(files),
  ...(isBare ? [BARE_WORD] : []),
];
export const PLACES = ["in_place", "overlay", "clone"] as const;
export const SANDBOXES = ["off", "required"] as const;
type Place = (typeof PLACES)[number];

interface Variant {
  readonly place: Place;
  readonly sandbox: (typeof SANDBOXES)[number];
  readonly end: End;
}

const VARIANTS: readonly Variant[] = PLACES.flatMap((place) =>
  SANDBOXES.flatMap((sandbox) => ENDS.map((end) => ({ place, sandbox, end }))),
);
const MUST_AND_BEST: Readonly<Record<number, Partial<Record<Place, readonly [number, number]>>>> = {
  100: { in_place: [6.8, 3.4], overlay: [8.2, 4.8] },
  10_000: { in_place: [3.7, 1.8], overlay: [3.7, 1.8] },
  100_000: { in_place: [2.5, 1.7], overlay: [1, 0.6] },
};
const EXIT_STATUS = { accepted: 0, committed: 0, reverted: 10 } as const;
const SETTINGS = { accepted: "never", committed: "always", reverted: "never" } as const;

const nameOf = ({ place, sandbox, end }: Variant): string => `${place} ${sandbox} ${end}`;
const floorOf = (end: End): string => `floor ${end}`;
const peerOf = (name: string): string => `peer ${name}`;

export function tickGroup(size: Size, peers: Bench["peers"]): Group {
  return {
    title: `Ticks, ${describeSize(size)}`,
    rows: [
      { ...floorRow(size, NODE), title: `${describeSize(size)}: an empty Node`, words: listSizeWords(size) },
      ...ENDS.map((end) => floorRow(size, floorOf(end))),
      ...peers.map(({ name }) => floorRow(size, peerOf(name))),
      ...VARIANTS.map((variant) => variantRow(size, variant)),
      ...PLACES.map((place) => shareRow(size, place)),
    ],
    prepare: (bench, names) => prepare(bench, size, names),
  };
}

function floorRow(size: Size, name: string): Row {
  return {
    title: `${describeSize(size)}: ${name}`,
    words: [...listSizeWords(size), ...ENDS.filter((end) => name === floorOf(end))],
    value: only(name),
    divisors: [perNode, { title: FLOOR, value: only(floorOf("accepted")) }],
    targets: [],
  };
}

function variantRow(size: Size, variant: Variant): Row {
  const { place, sandbox, end } = variant;
  const { files } = size;
  const [must, best] = (sandbox === "off" ? MUST_AND_BEST[files]?.[place] : undefined) ?? [];
  const against = files === 100 ? NODE : FLOOR;
  const memory = files === 100_000 && sandbox === "off" ? [{ against: null, must: 120, best: 80 }] : [];
  return {
    title: `${describeSize(size)}: ${end}, ${place}${sandbox === "off" ? "" : ", sandbox"}`,
    words: [...listSizeWords(size), place, sandbox, end],
    value: only(nameOf(variant)),
    divisors: [perNode, { title: FLOOR, value: only(floorOf(end)) }],
    targets: must === undefined || best === undefined ? memory : [{ against, must, best }, ...memory],
  };
}

/** What the sandbox adds to an accepted tick. */
function shareRow(size: Size, place: Place): Row {
  const [off, required] = SANDBOXES.map((sandbox) => nameOf({ place, sandbox, end: "accepted" }));
  return {
    title: `${describeSize(size)}: the sandbox's own share, ${place}`,
    words: [...listSizeWords(size), place, "required", "accepted"],
    value: (read) => read(required ?? "") - read(off ?? ""),
    divisors: [perNode],
    targets: [{ against: NODE, must: 2, best: 1 }],
  };
}

function toFiles({ files, isBare }: Size): { readonly files: number; readonly ignored?: number } {
  return isBare ? { files, ignored: 0 } : { files };
}

async function prepare(bench: Bench, size: Size, names: ReadonlySet<string>) {
  const make = (name: string): BenchRepository =>
    makeRepository({ ...bench, name: ["ticks", size.files, name].join("-"), ...toFiles(size) });
  const repository = make(size.isBare ? BARE_WORD : "");
  // In place every look sees the history, too. Where it would be most of the files, each row has only its own.
  const makeOwn = (variant: Variant): BenchRepository =>
    size.isBare && names.has(nameOf(variant)) ? make(Object.values(variant).join("-")) : repository;
  const all = [
    emptyNode(bench),
    ...ENDS.map((end) => floorSubject(repository, end)),
    ...bench.peers.map(({ name, command }) => peerSubject(repository, { name, command })),
    ...VARIANTS.map((variant) => tickSubject(bench, makeOwn(variant), variant)),
  ];
  await rest();
  const subjects: Subject[] = [];
  const missing: string[] = [];
  for (const subject of all.filter(({ name }) => names.has(name))) {
    const problem = await tryOnce(bench, subject);
    if (problem === null) subjects.push(subject);
    else missing.push(`${describeSize(size)}, ${subject.name}: ${problem}`);
  }
  return { subjects, missing };
}

/** The first tick reads everything, and shows whether this machine has the workplace. */
async function tryOnce({ meter }: Bench, subject: Subject): Promise<string | null> {
  try {
    await subject.before?.();
    await meter.measure(subject);
    return null;
  } catch (error) {
    const code = /"code":"(?<code>BLOCKED_\w+)"/.exec(String(error))?.groups?.["code"];
    if (code === undefined) throw error;
    return code;
  } finally {
    await subject.after?.();
  }
}

export function tickSubject(bench: Bench, repository: BenchRepository, variant: Variant): Subject {
  const { place, sandbox, end } = variant;
  const [command, ...args] = repository.agent(end);
  const keys = {
    isolation: place,
    sandbox,
    git: { commit: SETTINGS[end] },
    builder: { default_mode: "command", command: { command, args } },
  };
  return {
    name: nameOf(variant),
    commands: [[bench.relais, "run", "--task", repository.task, "--json"]],
    cwd: repository.root,
    env: repository.env,
    status: EXIT_STATUS[end],
    before: () => repository.configure(keys),
    after: repository.reset,
  };
}

const STATUS: Command = ["git", "status", "--porcelain=v2", "--branch", "-z"];
const DIFF: Command = ["git", "diff", "--raw", "--numstat", "-p", "--binary", "-z", "HEAD"];

/** The fewest git processes that could do the job, with the same agent and the same check. */
export function floorSubject({ root, env, agent, check, reset }: BenchRepository, end: End): Subject {
  const commands: Readonly<Record<End, readonly Command[]>> = {
    accepted: [STATUS, agent(end), STATUS, DIFF, check],
    committed: [STATUS, agent(end), STATUS, DIFF, check, ["git", "add", "--update"], ["git", "commit", "-qm", "tick"]],
    reverted: [STATUS, agent(end), STATUS, DIFF, check, ["git", "checkout", "--quiet", "--", "."], STATUS],
  };
  return { name: floorOf(end), commands: commands[end], cwd: root, env, status: 0, after: reset };
}

function peerSubject({ root, env, agent, reset }: BenchRepository, { name, command }: Bench["peers"][number]): Subject {
  const own = { ...env, BENCH_AGENT: agent("accepted").join(" ") };
  return { name: peerOf(name), commands: [["sh", "-c", command]], cwd: root, env: own, status: 0, after: reset };
}
