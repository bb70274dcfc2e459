/** One more tick inside a loop: the difference of a long and a short one. Each tick is planned, built and committed. */
import { type BenchRepository, makeRepository, rest } from "./bench-repository.ts";
import { type Bench, emptyNode, FLOOR, type Group, NODE, perNode, type Row, type Subject } from "./rows.ts";
import { floorSubject, PLACES } from "./tick-rows.ts";

const FILES = 100;
const TICKS = 11;
const FLOOR_NAME = "floor committed";

const nameOf = (place: string, ticks: number): string => `loop ${place} ${ticks}`;

export const LOOP_GROUP: Group = {
  title: `One more tick in a loop, ${FILES} files, none ignored`,
  rows: PLACES.map((place): Row => ({
    title: `one more tick in a loop, ${place}`,
    words: ["loop", place],
    value: (read) => (read(nameOf(place, TICKS)) - read(nameOf(place, 1))) / (TICKS - 1),
    divisors: [perNode, { title: FLOOR, value: (read) => read(FLOOR_NAME) }],
    targets: place === "clone" ? [] : [{ against: NODE, must: 3, best: 1.5 }],
  })),
  prepare: async (bench, names) => {
    const make = (name: string): BenchRepository => makeRepository({ ...bench, name, files: FILES, ignored: 0 });
    const all = [
      emptyNode(bench),
      floorSubject(make("loop"), "committed"),
      ...PLACES.flatMap((place) => {
        const repository = make(`loop-${place}`);
        return [1, TICKS].map((ticks) => loopSubject(bench, repository, { place, ticks }));
      }),
    ];
    await rest();
    return { subjects: all.filter(({ name }) => names.has(name)), missing: [] };
  },
};

/** Answers with another task each time, because the same one again ends a loop. */
export function planner({ put, task }: Pick<BenchRepository, "put" | "task">): string {
  return put(
    "planner.sh",
    [
      'n=$(( $(cat "${0%/*}/planned" 2>/dev/null || echo 0) + 1 )); echo "$n" > "${0%/*}/planned"',
      `sed "s/T-1/T-$n/; s/constant/constant $n/g" "${task}" > "$RELAIS_RESULT_PATH"`,
      "",
    ].join("\n"),
  );
}

interface LoopRequest {
  readonly place: string;
  readonly ticks: number;
}

function loopSubject({ relais }: Bench, repository: BenchRepository, { place, ticks }: LoopRequest): Subject {
  const orchestrator = { command: { command: "sh", args: [planner(repository)] } };
  return {
    name: nameOf(place, ticks),
    commands: [[relais, "loop", "--new", "--json", "--max-ticks", String(ticks)]],
    cwd: repository.root,
    env: repository.env,
    status: 0,
    before: () =>
      repository.configure({ isolation: place, roles: { orchestrator: { driver: "command" } }, orchestrator }),
    after: repository.reset,
  };
}
