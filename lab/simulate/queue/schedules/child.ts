/** One process of the search through schedules: its request is an argument, its result a line. */
import { exploreAtRandom, RANDOM_SIZES } from "./explore-schedules.ts";
import type { ScheduleSize } from "./schedule-size.ts";

export interface SchedulesRequest {
  readonly engine: ScheduleSize["engine"];
  readonly seed: number;
  readonly seconds: number;
}

const request: SchedulesRequest = JSON.parse(process.argv[2] ?? "");
const sizes = RANDOM_SIZES.filter(({ engine }) => engine === request.engine);
const explored = await exploreAtRandom(sizes, request.seed, request.seconds);
const { user, system } = process.cpuUsage();
process.stdout.write(`${JSON.stringify({ ...explored, cpuSeconds: (user + system) / 1e6 })}\n`);
