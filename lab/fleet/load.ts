/**
 * The load test of a queue on a server on loopback: 10,000 jobs of 200 keys, 1,000,000 journal lines, attachments of up to
 * 50 MB and hundreds of workers. `--small` divides the sizes by 100, `--server PROGRAM` names another nats-server, `--dir
 * DIR` the place of its store, and `--write` keeps them in lab/fleet/measured.json.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findNatsServer, openNatsServer, readNatsVersion } from "../../test/fleet/nats-server.ts";
import { writeMeasured } from "../measured.ts";
import { loadBytes, loadEvents, loadWorkers } from "./load-events.ts";
import { loadJobs, type Load } from "./load-jobs.ts";
import { openServerMeter } from "./server-meter.ts";

const MEASURED = "lab/fleet/measured.json";
const SMALL = 100;
const PARTS = [
  { title: "Jobs", run: loadJobs, sizes: [100, 1000, 3000, 10_000], isDivided: true },
  { title: "Events", run: loadEvents, sizes: [10_000, 100_000, 300_000, 1_000_000], isDivided: true },
  { title: "Bytes", run: loadBytes, sizes: [1, 10, 50], isDivided: false },
  { title: "Workers", run: loadWorkers, sizes: [1, 10, 50, 200], isDivided: false },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: "string" },
    dir: { type: "string", default: tmpdir() },
    small: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const program = values.server ?? findNatsServer();
if (program === null) throw new Error("there is no nats-server");
const version = readNatsVersion(program);
const isSynced = !/^2\.\d\./.test(version);
const folder = mkdtempSync(join(values.dir, "relais-load-"));
const server = await openNatsServer(folder, { program, isSynced });
try {
  const parts: Record<string, Load> = {};
  for (const { title, run, sizes, isDivided } of PARTS) {
    if (positionals.length > 0 && !positionals.includes(title.toLowerCase())) continue;
    const divisor = values.small && isDivided ? SMALL : 1;
    const wanted = [...new Set(sizes.map((size) => size / divisor))];
    const meter = openServerMeter(server.pid(), folder);
    const load = await run({ url: server.url, meter, sizes: wanted.map(Math.ceil) });
    console.log(`${title}. ${load.note ?? ""}`);
    console.table(load.rows);
    parts[title] = load;
  }
  const sync = isSynced ? "each write synced" : "writes not synced (deferred)";
  const machine = `nats-server ${version} on loopback, ${sync}, ${availableParallelism()} cores, Node ${process.version}`;
  console.log(machine);
  // Parts that this run did not measure stay as they are.
  const known: { readonly parts: Readonly<Record<string, Load>> } = JSON.parse(readFileSync(MEASURED, "utf8"));
  if (values.write && !values.small) writeMeasured(MEASURED, { machine, parts: { ...known.parts, ...parts } });
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
