#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { countLines } from "../src/count.mjs";

const [file] = process.argv.slice(2);
const { blank = true } = readSettings();
const text = readFileSync(file, "utf8");
console.log(countLines(blank ? text : text.replaceAll(/^\s*\n/gm, "")));

function readSettings() {
  try {
    return JSON.parse(readFileSync(".countrc", "utf8"));
  } catch {
    return {};
  }
}
