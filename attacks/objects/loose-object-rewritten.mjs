// A stored file is swapped below its own hash, for a later checkout to bring out.
// expect: STOP_GIT_METADATA_MUTATION
// kind: plain
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const id = execFileSync("git", ["rev-parse", "HEAD:src/main.ts"], { encoding: "utf8" }).trim();
const file = `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
chmodSync(file, 0o644);
writeFileSync(file, deflateSync(Buffer.from("blob 5\0evil\n")));
chmodSync(file, 0o444);
