/** Joins the parts of src to one file. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

mkdirSync("dist", { recursive: true });
const parts = readdirSync("src").filter((name) => name.endsWith(".mjs")).sort();
writeFileSync("dist/bundle.mjs", parts.map((name) => readFileSync(`src/${name}`, "utf8")).join("\n"));
