// The stat data in the index is forged, so git believes that the edited file is the old one.
// expect: STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED, STOP_GIT_METADATA_MUTATION
// kind: plain
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, writeFileSync } from "node:fs";

const path = "docs/guide.md";
writeFileSync(path, "Guide, part two.\n");
const index = readFileSync(".git/index");
const entry = index.indexOf(`${path}\0`) - 62;
const { ctimeNs, mtimeNs, dev, ino, size } = lstatSync(path, { bigint: true });
const word = (value) => Number(value & 0xffffffffn);
const fields = [ctimeNs / 1000000000n, ctimeNs % 1000000000n, mtimeNs / 1000000000n, mtimeNs % 1000000000n, dev, ino];
fields.forEach((field, position) => index.writeUInt32BE(word(field), entry + 4 * position));
index.writeUInt32BE(word(size), entry + 36);
const body = index.subarray(0, -20);
writeFileSync(".git/index", Buffer.concat([body, createHash("sha1").update(body).digest()]));
