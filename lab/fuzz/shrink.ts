/** The input without the pieces that do not matter: halves, then quarters, down to single bytes. */
export async function shrink(data: Buffer, isStillBad: (data: Buffer) => boolean | Promise<boolean>): Promise<Buffer> {
  let smallest = data;
  let tries = 2000;
  for (let size = Math.ceil(data.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length && tries > 0;) {
      const smaller = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      tries -= 1;
      if (await isStillBad(smaller)) smallest = smaller;
      else at += size;
    }
  }
  return smallest;
}
