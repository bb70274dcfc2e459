/**
 * What relais costs, measured as a user runs it: whole processes of the installed package, in turn with plain git and an
 * empty Node. Words choose rows (`npm run bench -- tick 100 overlay`), lab/bench/measured.md describes them.
 */
import { runBench } from "./run-bench.ts";

await runBench(process.argv.slice(2));
