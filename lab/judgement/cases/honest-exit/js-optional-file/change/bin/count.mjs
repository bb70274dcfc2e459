#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { countLines } from "../src/count.mjs";

const [file] = process.argv.slice(2);
const { blank = true } = readSettings();
const text = readFileSync(file, "utf8");
console.log(countLines(blank ? text : text.replaceAll(/^\s*\n/gm, "")));

function readSettings() {
  let text;
  try {
    text = readFileSync(".countrc", "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return {}; // The file is optional.
  }
  return JSON.parse(text);
}
