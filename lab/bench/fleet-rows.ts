/** What a slot costs for each job on a server, beside `xargs -P` with the same commands, as with the queue of one machine. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jobSpec, jobTerms } from "../../test/queue/jobs.ts";
import { listNatsServers, makeNatsPlace, openNatsServer, readNatsVersion } from "../../test/fleet/nats-server.ts";
import { ENGINES } from "../../test/queue/open-engine.ts";
import { bundleProgram, COMMAND, FEW, KEYS, MANY, SLOTS, xargsName, xargsSubject } from "./queue-rows.ts";
import { type Bench, type Group, MS, type Row, type Subject } from "./rows.ts";

interface BenchServer {
  readonly program: string;
  readonly version: string;
  readonly isSynced: boolean;
}

const fleetName = ({ version }: BenchServer, jobs: number): string => `fleet ${version} ${jobs}`;

/** The installed server, and those of `RELAIS_NATS_SERVERS`. */
export function fleetGroup(): Group {
  const servers = listNatsServers().map((program): BenchServer => {
    const version = readNatsVersion(program);
    return { program, version, isSynced: !/^2\.[0-9]\./.test(version) };
  });
  return {
    title: "A job of a queue on a server, beside `xargs -P`",
    rows: servers.map((server) => writeRow(server)),
    prepare: async (bench, names) => {
      const ends: (() => Promise<void>)[] = [];
      const program = await bundleProgram(bench);
      const subjects = [FEW, MANY].map((jobs) => xargsSubject(bench, jobs));
      for (const server of servers) {
        const { version, isSynced } = server;
        if (!names.has(fleetName(server, FEW))) continue;
        const { url, stop } = await openNatsServer(join(bench.folder, `nats-${version}`), {
          program: server.program,
          isSynced,
        });
        ends.push(() => stop());
        for (const jobs of [FEW, MANY]) subjects.push(fleetSubject(bench, { server, jobs, url, program }));
      }
      const close = async (): Promise<void> => {
        for (const end of ends) await end();
      };
      return { subjects: subjects.filter(({ name }) => names.has(name)), missing: [], close };
    },
  };
}

function writeRow(server: BenchServer): Row {
  const sync = server.isSynced ? "synced" : "deferred";
  return {
    title: `slot time per job over xargs, nats-server ${server.version}, ${sync}, ${KEYS} keys`,
    words: ["fleet"],
    value: (read) => {
      const fleet = read(fleetName(server, MANY)) - read(fleetName(server, FEW));
      const xargs = read(xargsName(MANY)) - read(xargsName(FEW));
      return ((fleet - xargs) * SLOTS) / (MANY - FEW);
    },
    divisors: [],
    targets: [{ against: MS, must: 100, best: 30 }],
  };
}

interface FleetRun {
  readonly server: BenchServer;
  readonly jobs: number;
  readonly url: string;
  readonly program: string;
}

/** Each run gets a queue of its own on the same server. */
function fleetSubject({ folder, env }: Bench, { server, jobs, url, program }: FleetRun): Subject {
  const place = join(folder, `place-${server.version}-${jobs}`);
  const start = 'exec "$0" "$1" nats "$(cat "$2")" "$3" "$4" "$5"';
  return {
    name: fleetName(server, jobs),
    commands: [["sh", "-c", start, process.execPath, program, place, String(SLOTS), ...COMMAND]],
    cwd: folder,
    env,
    status: 0,
    before: async () => {
      writeFileSync(place, await makeNatsPlace(url));
      const engine = await ENGINES.nats(readFileSync(place, "utf8"));
      for (let number = 0; number < jobs; number += 1)
        await engine.submit(jobSpec({ key: `repository#${number % KEYS}` }), jobTerms());
      await engine.close();
    },
  };
}
