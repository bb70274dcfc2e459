/** Sends bytes to a server of HTTP and reads what it says, by a reader that shares nothing with Node's. */
import { connect, type NetConnectOpts } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const ANSWER_MS = 15_000;
const SILENT_MS = 5000;

/** Fails where a whole request gets neither an answer nor the end of its connection. */
export async function askRaw(place: NetConnectOpts, request: Buffer): Promise<readonly RawAnswer[]> {
  const text = await new Promise<string>((resolve, reject) => {
    let said = "";
    const socket = connect(place);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer in ${ANSWER_MS / 1000} s`));
    }, ANSWER_MS);
    // The server may see the end of the request elsewhere than the reader below.
    const silent = setTimeout(() => socket.end(), SILENT_MS);
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(silent);
      resolve(said);
      // Without the wait that a closed connection has in the kernel: there are not so many ports.
      if ("port" in place) socket.resetAndDestroy();
      else socket.destroy();
    };
    socket.on("data", (data) => {
      said += data.toString("latin1");
      // The rest of the answers to several requests in one is not waited for.
      if (isWholeAnswer(said)) end();
    });
    socket.once("error", end);
    socket.once("close", end);
    socket.write(request);
    if (!isWholeRequest(request.toString("latin1"))) socket.end();
  });
  return readAnswers(text);
}

function isWholeRequest(text: string): boolean {
  const end = text.replace(/^[\r\n]+/u, (lines) => "_".repeat(lines.length)).indexOf("\r\n\r\n");
  if (end === -1) return false;
  const head = text.slice(0, end);
  if (/transfer-encoding/iu.test(head)) return text.endsWith("0\r\n\r\n");
  const length = Number(/\r\ncontent-length: *(?<length>\d+)/iu.exec(head)?.groups?.["length"] ?? 0);
  return text.length - end - 4 >= length;
}

/** Of a stream, its first line. */
function isWholeAnswer(said: string): boolean {
  const text = said.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/u, "");
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(?<length>\d+)/iu.exec(text.slice(0, end))?.groups?.["length"];
  const isDone = /^HTTP\/1\.1 (?!200 OK)/u.test(text);
  return length === undefined ? isDone || text.slice(end + 4).includes("\n") : text.length - end - 4 >= Number(length);
}

function readAnswers(text: string): readonly RawAnswer[] {
  return text
    .split(/(?=^HTTP\/1\.1 \d{3} )/mu)
    .filter((part) => /^HTTP\/1\.1 (?!100)/u.test(part))
    .map((part) => {
      const [head = "", ...rest] = part.split("\r\n\r\n");
      return { status: Number(part.slice(9, 12)), head, body: rest.join("\r\n\r\n") };
    });
}
