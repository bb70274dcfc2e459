/** One process of the search: its request is an argument, its result a line. */
import { search } from "./search.ts";

process.stdout.write(`${JSON.stringify(await search(JSON.parse(process.argv[2] ?? "")))}\n`);
