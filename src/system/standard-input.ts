import { type BoundedRead, describeTooLarge } from "./bounded-file.ts";

/** Reads the whole standard input, unless it is too long. A terminal is not waited for. */
export async function readStandardInput(bytesMax: number): Promise<Exclude<BoundedRead, { kind: "missing" }>> {
  if (process.stdin.isTTY) return { kind: "refused", why: "special", reason: "it is a terminal" };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > bytesMax) return describeTooLarge(bytesMax);
    chunks.push(part);
  }
  return { kind: "read", data: Buffer.concat(chunks) };
}
