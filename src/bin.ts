/**
 * The executable. It answers `relais --version` itself, so that nothing else is loaded for it; all other calls are for
 * `process.ts`, which also reports where an output is lost.
 *
 * A Node that is too old must be able to parse this file: no syntax that came after ES2019.
 */
import { writeSync } from "node:fs";

/** Put in place by the build. */
declare const RELAIS_VERSION: string;

function isAnswered(): boolean {
  if (process.argv.length !== 3 || process.argv[2] !== "--version") return false;
  try {
    writeSync(1, `relais ${RELAIS_VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}

if (!isAnswered()) void import("./process.ts");
