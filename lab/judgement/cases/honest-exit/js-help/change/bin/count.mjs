#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { countLines } from "../src/count.mjs";

const [file] = process.argv.slice(2);
if (file === "--help") {
  console.log("usage: count FILE");
  process.exit(0);
}
console.log(countLines(readFileSync(file, "utf8")));
