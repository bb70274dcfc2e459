// A pack that hides an object, passed off as the result of a fetch.
// expect: STOP_GIT_METADATA_MUTATION
// kind: plain
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const sha1 = (bytes) => createHash("sha1").update(bytes).digest();
const number = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

const id = execFileSync("git", ["rev-parse", "HEAD:relais.config.json"]).toString().trim();
const target = Buffer.from(id, "hex");
const body = Buffer.concat([Buffer.from([(3 << 4) | 5]), deflateSync(Buffer.from("evil\n"))]);
const packed = Buffer.concat([Buffer.from("PACK"), number(2), number(1), body]);
const name = sha1(packed);
const fan = Array.from({ length: 256 }, (_, first) => number(first >= target[0] ? 1 : 0));
const index = Buffer.concat([
  Buffer.from([0xff, 0x74, 0x4f, 0x63]),
  number(2),
  ...fan,
  target,
  number(crc32(body)),
  number(12),
  name,
]);
const stem = `.git/objects/pack/pack-${name.toString("hex")}`;
writeFileSync(`${stem}.pack`, Buffer.concat([packed, name]));
writeFileSync(`${stem}.idx`, Buffer.concat([index, sha1(index)]));
const shown = execFileSync("git", ["show", "HEAD:relais.config.json"]).toString();
if (shown !== "evil\n") throw new Error(`the pack hides nothing: ${shown}`);
writeFileSync(".git/FETCH_HEAD", `${id}\t\tbranch 'main' of origin\n`);
