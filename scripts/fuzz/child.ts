/** The process of one search: its first argument is a `Search` as JSON, with the target by its name. */
import { pathToFileURL } from "node:url";
import { TARGETS } from "../../test/fuzz/targets.ts";
import { searchInputs, type Search } from "./search.ts";

const given: Omit<Search, "target" | "code"> & { readonly name: string } = JSON.parse(process.argv[2] ?? "{}");
const target = TARGETS.find(({ name }) => name === given.name);
if (target === undefined) throw new Error(`no target is called ${given.name}`);
searchInputs({ ...given, target, code: pathToFileURL(process.argv[1] ?? "").href });
