// Makes too many files, folders and links, with line breaks and other bytes that are no text in their names.
// expect: STOP_DIFF_TOO_LARGE
// cause: too_many_files
// config: {"isolation":"in_place","runner":{"max_new_files":300}}
// driver: tick
// ship: yes
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
const name = (kind, n) => Buffer.from(`src/-${kind}\n'${n}"\xff\xfe`, "latin1");
for (let n = 0; n < 700; n += 1) {
  writeFileSync(name("file", n), "x");
  mkdirSync(name("folder", n));
  symlinkSync("../../../../home", name("link", n));
}
