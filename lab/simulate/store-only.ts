const BLOCK_MAX = 65_535;
const ADLER = 65_521;

/** A zlib stream without compression, which is most of what a small object costs. */
export function storeOnly(data: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x78, 0x01])];
  for (let at = 0; at === 0 || at < data.length; at += BLOCK_MAX) {
    const part = data.subarray(at, at + BLOCK_MAX);
    const head = Buffer.alloc(5);
    head[0] = at + BLOCK_MAX >= data.length ? 1 : 0;
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(part.length ^ 0xffff, 3);
    parts.push(head, part);
  }
  let low = 1;
  let high = 0;
  for (const byte of data) {
    low = (low + byte) % ADLER;
    high = (high + low) % ADLER;
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(((high << 16) | low) >>> 0);
  return Buffer.concat([...parts, sum]);
}
