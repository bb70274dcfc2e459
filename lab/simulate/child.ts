/** One process of the search, or of all faults: its request is an argument, its results are lines. */
import { tryEveryFault, type EveryFaultRequest } from "./every-fault.ts";
import { search, type SearchRequest } from "./search.ts";

export type ChildRequest =
  ({ readonly kind: "search" } & SearchRequest) | ({ readonly kind: "every_fault" } & EveryFaultRequest);

const tell = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const request: ChildRequest = JSON.parse(process.argv[2] ?? "");
if (request.kind === "search") tell(await search(request));
else await tryEveryFault(request, tell);
