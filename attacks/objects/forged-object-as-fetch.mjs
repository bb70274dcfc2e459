// An object that is not what its name says waits for somebody to add the real one, passed off as fetched.
// expect: STOP_GIT_METADATA_MUTATION
// kind: plain
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

writeFileSync("src/new.ts", "export const harmless = true;\n");
const id = execFileSync("git", ["hash-object", "src/new.ts"]).toString().trim();
mkdirSync(`.git/objects/${id.slice(0, 2)}`, { recursive: true });
writeFileSync(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(Buffer.from("blob 5\0evil\n")));
writeFileSync(".git/FETCH_HEAD", `${id}\t\tbranch 'main' of origin\n`);
