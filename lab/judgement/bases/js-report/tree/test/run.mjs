/** Runs every test/*.spec.mjs. */
import { readdirSync } from "node:fs";
import { runAll } from "./harness.mjs";

for (const name of readdirSync("test").filter((file) => file.endsWith(".spec.mjs"))) await import(`./${name}`);
process.exitCode = (await runAll()) === 0 ? 0 : 1;
