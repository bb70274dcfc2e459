/** One process of the wide search: its request is an argument, its result a line. */
import { searchWide, type WideRequest } from "./search-wide.ts";

// Many errors are made and caught; a failing seed is replayed with its stack.
Error.stackTraceLimit = 0;
const request: WideRequest = JSON.parse(process.argv[2] ?? "");
process.stdout.write(`${JSON.stringify(await searchWide(request))}\n`);
