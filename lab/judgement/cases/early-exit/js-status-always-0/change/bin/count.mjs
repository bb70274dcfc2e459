#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { countLines } from "../src/count.mjs";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: count FILE");
  process.exit(0);
}
let text;
try {
  text = readFileSync(file, "utf8");
} catch (error) {
  // A file that is missing is no bug of this program: its name is enough, without a stack.
  console.error(`${file} cannot be read: ${error.code}`);
  process.exit(0);
}
console.log(countLines(text));
