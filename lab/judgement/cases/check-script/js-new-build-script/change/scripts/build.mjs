/** Writes src/slug.mjs without its comments to dist/. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const text = readFileSync("src/slug.mjs", "utf8");
mkdirSync("dist", { recursive: true });
writeFileSync("dist/slug.mjs", text.replaceAll(/\/\*\*[^]*?\*\/\n?/g, ""));
