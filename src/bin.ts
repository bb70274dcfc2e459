/**
 * The executable. It answers `relais --version` itself and has a part of its own for `relais --help`, so that nothing
 * else is loaded for them; all other calls are for `start.ts`, which also reports where an output is lost.
 *
 * A Node that is too old must be able to parse this file: no syntax that came after ES2019.
 */
import { writeSync } from "node:fs";

/** Put in place by the build. */
declare const RELAIS_VERSION: string;

function isVersionWritten(): boolean {
  try {
    writeSync(1, `relais ${RELAIS_VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}

async function answer(): Promise<void> {
  const lone = process.argv.length === 3 ? String(process.argv[2]) : "";
  if (lone === "--version" && isVersionWritten()) return;
  if (["--help", "-h"].includes(lone) && (await import("./lone-help.ts")).isHelpWritten()) return;
  (await import("./system/load-parts.ts")).keepCompiledParts({
    args: process.argv.slice(2),
    options: process.execArgv.concat(process.env["NODE_OPTIONS"] || []).join(" "),
    findFolder: () => process.cwd(),
  });
  await import("./start.ts");
}

void answer();
