/** Runs commands under a watch that hears what holds their process after its last line. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { relais, type Ran } from "./relais.ts";
import type { World } from "./scenario-world.ts";

const WATCH = join(import.meta.dirname, "../fixtures/programs/end-watch.cjs");

interface Sample {
  readonly typed: string;
  readonly status: number | null;
  readonly hasPrinted: boolean;
  /** What happened between the last line and the end. */
  readonly afterwards: readonly string[];
}

type Start = (env: Readonly<Record<string, string>>) => Promise<Ran>;

export interface EndWatch {
  readonly place: string;
  /** By command. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  /** Runs a command under the watch and keeps what the watch has seen. */
  readonly sample: (args: readonly string[], start: Start) => Promise<void>;
  readonly inside: (world: World, ...args: string[]) => Promise<void>;
  readonly anywhere: (...args: string[]) => Promise<void>;
  readonly remove: () => void;
}

export function watchEnds(): EndWatch {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "relais-end-")));
  const samples = new Map<string, Sample[]>();
  const sample: EndWatch["sample"] = async (args, start) => {
    const [name = ""] = args;
    const file = join(place, "seen.json");
    rmSync(file, { force: true });
    const { status, stdout, stderr } = await start({ NODE_OPTIONS: `--require=${WATCH}`, END_WATCH: file });
    const { heard: afterwards }: { heard: string[] } = JSON.parse(readFileSync(file, "utf8"));
    const seen = { typed: args.join(" "), status, hasPrinted: stdout + stderr !== "", afterwards };
    samples.set(name, [...(samples.get(name) ?? []), seen]);
  };
  return {
    place,
    samples,
    sample,
    inside: (world, ...args) => sample(args, (env) => world.relais(args, env)),
    anywhere: (...args) => sample(args, (env) => relais(args, { cwd: place, env })),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** The samples of a command that printed nothing or were not over with their last line. */
export function findLateEnds({ samples }: EndWatch, name: string): readonly Sample[] {
  const seen = samples.get(name);
  if (seen === undefined) throw new Error(`no sample of ${name}`);
  return seen.filter(({ hasPrinted, afterwards }) => !hasPrinted || afterwards.length > 0);
}
