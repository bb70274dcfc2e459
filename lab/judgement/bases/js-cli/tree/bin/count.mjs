#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { countLines } from "../src/count.mjs";

const [file] = process.argv.slice(2);
console.log(countLines(readFileSync(file, "utf8")));
