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
 * written to the disk: between an event that is written and the first thing that is done because of it.
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
    let isDone = process.argv[2] !== "run";
    const look = () => {
      if (isDone || !isTime()) return;
      isDone = true;
      ${does}
    };
    for (const name of ["writeSync", "fsyncSync", "fdatasyncSync"]) {
      const call = fs[name];
      fs[name] = (...given) => {
        const answer = call(...given);
        look();
        return answer;
      };
    }
    require("node:module").syncBuiltinESMExports();
  `;
  writeFileSync(path, script);
  return { NODE_OPTIONS: `--require ${path}` };
}
