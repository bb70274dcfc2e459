// Makes a chain of folders that is far deeper than a path may be.
// expect: STOP_DIFF_TOO_LARGE
// cause: too_many_files
// config: {"isolation":"in_place","runner":{"max_new_files":300}}
// driver: tick
// ship: yes
import { mkdirSync } from "node:fs";
process.chdir("src");
try {
  for (let depth = 0; depth < 5000; depth += 1) {
    mkdirSync("d");
    process.chdir("d");
  }
} catch {
  // Node cannot tell where it is any more; what is there is deep enough.
}
