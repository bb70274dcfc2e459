import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Variables, World } from "./scenario-world.ts";

interface Meddling {
  /** The event that is awaited in the journal. */
  readonly after: string;
  /** Statements of a script that knows `fs` and `root`. */
  readonly does: string;
}

/**
 * Somebody else who does something in the middle of a tick, at one exact moment.
 *
 * Another process would come too early or too late. This one is loaded into relais' own and wakes up whenever relais has
 * waited for the disk: between an event that is written and the first thing that is done because of it.
 */
export function meddler({ box, root }: World, { after, does }: Meddling): Variables {
  const path = join(box, "meddler.cjs");
  const script = `
    const fs = require("node:fs");
    const root = ${JSON.stringify(root)};
    const states = ${JSON.stringify(join(box, "state", "relais"))};
    const isTime = () => {
      const name = fs.existsSync(states) ? fs.readdirSync(states)[0] : undefined;
      const journal = states + "/" + name + "/journal.jsonl";
      return fs.existsSync(journal) && fs.readFileSync(journal, "utf8").includes('"type":"${after}"');
    };
    const look = () => {
      if (!isTime()) return setImmediate(look).unref();
      ${does}
    };
    if (process.argv[2] === "run") look();
  `;
  writeFileSync(path, script);
  return { NODE_OPTIONS: `--require ${path}` };
}
