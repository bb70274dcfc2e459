/** What must not grow: a tick after a long history, in a large tree, under an agent that prints or writes very much. */
import { type BenchRepository, makeRepository, rest, shrink } from "./bench-repository.ts";
import { addHistory, openHistory } from "./command-rows.ts";
import { lengthenHistory } from "./long-history.ts";
import { type Bench, type Divisor, emptyNode, type Group, only, perNode, type Row, type Subject } from "./rows.ts";
import { tickSubject } from "./tick-rows.ts";
import { makeLargeTree } from "./large-tree.ts";

const FILES = 100;
const NONE = "none";
const SIZE_TARGET = { against: NONE, must: 1.1, best: 1.03 };
const MEMORY_TARGET = { against: null, must: 120, best: 80 };
const LONG_TICKS = 10_000;
const EVENTS = 1_000_000;
/** Of an accepted tick. */
const EVENTS_IN_TICK = 13;
const NODES = 100_000;
const OUTPUT_BYTES = 2 * 1024 * 1024 * 1024;
/** An agent that prints more is stopped (STOP_OUTPUT_LIMIT). */
const ALLOWED_BYTES = 256 * 1024 * 1024;
const NEW_FILES = 150_000;
const IN_PLACE = { place: "in_place", sandbox: "off", end: "accepted" } as const;

function row(title: string, word: string, divisors: readonly Divisor[]): Row {
  return { title, words: ["scale", word], value: only(title), divisors: [perNode, ...divisors], targets: [] };
}

/** Beside the same with nothing behind it. */
function grown(title: string, word: string, none: string): Row {
  return { ...row(title, word, [{ title: NONE, value: only(none) }]), targets: [SIZE_TARGET] };
}

const AFTER_NONE = "a tick without history";
const AFTER_LONG = "a tick after 10,000 ticks";
const AFTER_EVENTS = "a tick after 1,000,000 events";
const STATUS_AFTER_EVENTS = "status after 1,000,000 events";
/** In place, the files of the history and the ledger are observed like all others. */
const HISTORY_PLACES = ["overlay", "in_place"] as const;

export const HISTORY_GROUP: Group = {
  title: "A long history",
  rows: [
    ...HISTORY_PLACES.flatMap((place) => [
      row(`${AFTER_NONE}, ${place}`, "long-history", []),
      grown(`${AFTER_LONG}, ${place}`, "long-history", `${AFTER_NONE}, ${place}`),
      grown(`${AFTER_EVENTS}, ${place}`, "million-events", `${AFTER_NONE}, ${place}`),
    ]),
    row(STATUS_AFTER_EVENTS, "million-events", []),
  ],
  prepare: async (bench, names) => {
    const wants = (words: string): boolean => [...names].some((name) => name.startsWith(words));
    const none = makeRepository({ ...bench, name: "no-history", files: FILES });
    const subjects = [emptyNode(bench), ...ticksOf(bench, none, AFTER_NONE)];
    if (wants(AFTER_LONG)) subjects.push(...ticksOf(bench, await openHistory(bench, LONG_TICKS), AFTER_LONG));
    if (wants(AFTER_EVENTS) || wants(STATUS_AFTER_EVENTS))
      subjects.push(...(await afterEvents(bench, makeRepository({ ...bench, name: "million-events", files: FILES }))));
    await rest();
    return { subjects: subjects.filter(({ name }) => names.has(name)), missing: [] };
  },
};

function ticksOf(bench: Bench, repository: BenchRepository, name: string): readonly Subject[] {
  return HISTORY_PLACES.map((place) =>
    named(`${name}, ${place}`, tickSubject(bench, repository, { ...IN_PLACE, place })),
  );
}

/** The old runs were pruned: only the journal is long. */
async function afterEvents(bench: Bench, repository: BenchRepository): Promise<readonly Subject[]> {
  await addHistory(bench, repository, 2);
  await lengthenHistory(repository, {
    ticks: Math.ceil(shrink(EVENTS, bench.scale) / EVENTS_IN_TICK),
    withFiles: false,
  });
  const { root, env } = repository;
  const status = {
    name: STATUS_AFTER_EVENTS,
    commands: [[bench.relais, "status"]],
    cwd: root,
    env,
    status: 0,
  } as const;
  return [...ticksOf(bench, repository, AFTER_EVENTS), status];
}

function named(name: string, subject: Subject): Subject {
  return { ...subject, name };
}

const STEP_SMALL = "a step of a tree of 10 nodes";
const STEP_LARGE = "a step of a tree of 100,000 nodes";

export const TREE_GROUP: Group = {
  title: "A large tree",
  rows: [row(STEP_SMALL, "large-tree", []), grown(STEP_LARGE, "large-tree", STEP_SMALL)],
  prepare: async (bench, names) => {
    const sizes = [
      { name: STEP_SMALL, nodes: 10 },
      { name: STEP_LARGE, nodes: NODES },
    ].filter(({ name }) => names.has(name));
    const steps = sizes.map(({ name, nodes }) => stepSubject(bench, name, nodes));
    await rest();
    return { subjects: [emptyNode(bench), ...steps], missing: [] };
  },
};

function stepSubject(bench: Bench, name: string, nodes: number): Subject {
  const extra = { "relais/tree.json": makeLargeTree(nodes === NODES ? shrink(nodes, bench.scale) : nodes) };
  const repository = makeRepository({ ...bench, name: `tree-${nodes}`, files: FILES, extra });
  const agent = repository.put(
    "leaf.sh",
    `echo "export const leaf$$ = 1;" >> src/d0/f0.ts\nprintf '{"status":"done","summary":"Done."}' > "$RELAIS_RESULT_PATH"\n`,
  );
  const builder = { default_mode: "command", command: { command: "sh", args: [agent] } };
  return {
    name,
    commands: [[bench.relais, "tree", "step", "--new", "--json"]],
    cwd: repository.root,
    env: repository.env,
    status: 0,
    before: () => repository.configure({ builder, tree: { guard: repository.check } }),
    after: repository.reset,
  };
}

const ALONE = "the agent alone";
const NOISY = "an agent that prints 2 GiB";
const NOISY_ALONE = `${NOISY}: ${ALONE}`;
const FLOOD = "an agent that writes 150,000 files, with the usual limit";
const FLOOD_JUDGED = "an agent that writes 150,000 files, without the limit";
const FLOOD_ALONE = "an agent that writes 150,000 files: the agent, git status and git clean";

export const FLOOD_GROUP: Group = {
  title: "Agents that print or write very much",
  rows: [
    row(NOISY_ALONE, "much-output", []),
    { ...row(NOISY, "much-output", [{ title: ALONE, value: only(NOISY_ALONE) }]), targets: [MEMORY_TARGET] },
    row(FLOOD_ALONE, "many-files", []),
    ...[FLOOD, FLOOD_JUDGED].map((name) => row(name, "many-files", [{ title: ALONE, value: only(FLOOD_ALONE) }])),
  ],
  prepare: async (bench, names) => {
    const repository = makeRepository({ ...bench, name: "floods", files: FILES });
    await rest();
    const all = [emptyNode(bench), ...noisySubjects(bench, repository), ...floodSubjects(bench, repository)];
    return { subjects: all.filter(({ name }) => names.has(name)), missing: [] };
  },
};

function noisySubjects(bench: Bench, repository: BenchRepository): readonly Subject[] {
  const lines = "yes 'A line as agents print them: it says what was read, what was found and what comes next.'";
  const agent = repository.put(
    "noisy.sh",
    `${lines} | head -c ${shrink(OUTPUT_BYTES, bench.scale)}\n. "${repository.agent("accepted")[1]}"\n`,
  );
  const { root, env, reset } = repository;
  const isStopped = shrink(OUTPUT_BYTES, bench.scale) > ALLOWED_BYTES;
  const alone: Subject = {
    name: NOISY_ALONE,
    commands: [["sh", "-c", `sh "${agent}" | cat > /dev/null`]],
    cwd: root,
    env,
    status: 0,
    after: reset,
  };
  return [alone, withAgent(bench, repository, { name: NOISY, agent, keys: {}, status: isStopped ? 10 : 0 })];
}

function floodSubjects(bench: Bench, repository: BenchRepository): readonly Subject[] {
  const agent = repository.put(
    "flood.sh",
    `mkdir -p src/many && cd src/many && seq ${shrink(NEW_FILES, bench.scale)} | split --lines=1 --suffix-length=6 --numeric-suffixes\n`,
  );
  const { root, env, reset } = repository;
  const alone: Subject = {
    name: FLOOD_ALONE,
    commands: [
      ["sh", agent],
      ["git", "status", "--porcelain=v2", "-z", "-uall"],
      ["git", "clean", "--quiet", "--force", "-d"],
    ],
    cwd: root,
    env,
    status: 0,
    after: reset,
  };
  const usual = bench.scale === 1 ? {} : { runner: { max_new_files: 100 } };
  const unlimited = { runner: { max_new_files: 1_000_000 } };
  return [
    alone,
    withAgent(bench, repository, { name: FLOOD, agent, keys: usual, status: 10 }),
    withAgent(bench, repository, { name: FLOOD_JUDGED, agent, keys: unlimited, status: 10 }),
  ];
}

interface AgentRequest {
  readonly name: string;
  readonly agent: string;
  readonly keys: object;
  readonly status: number;
}

function withAgent(bench: Bench, repository: BenchRepository, { name, agent, keys, status }: AgentRequest): Subject {
  const builder = { default_mode: "command", command: { command: "sh", args: [agent] } };
  return {
    ...tickSubject(bench, repository, IN_PLACE),
    name,
    status,
    before: () => repository.configure({ builder, ...keys }),
  };
}
