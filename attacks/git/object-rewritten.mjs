// Writes other content under the name of an object, so that a checkout would bring it.
// expect: STOP_GIT_METADATA_MUTATION
// ship: yes
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const id = execFileSync("git", ["rev-parse", "HEAD:docs/guide.md"]).toString().trim();
const path = `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
chmodSync(path, 0o644);
writeFileSync(path, deflateSync(Buffer.from("blob 5\0evil\n")));
writeFileSync("src/main.ts", "export const answer = 42;\n");
