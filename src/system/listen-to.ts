import { createConnection } from "node:net";
import { describeError } from "../base/describe-error.ts";

const PORT = 4222;

/** Null where the machine at this URL speaks first, as a server of NATS does; what is wrong otherwise. */
export function listenTo(url: string, timeoutMs: number): Promise<string | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = createConnection(port === "" ? PORT : Number(port), hostname.replaceAll(/[[\]]/g, ""));
    const end = (trouble: string | null): void => {
      socket.destroy();
      resolve(trouble);
    };
    socket.setTimeout(timeoutMs, () => end(`it said nothing for ${timeoutMs / 1000} s`));
    socket.on("error", (error) => end(describeError(error)));
    socket.on("data", () => end(null));
    socket.on("close", () => end("it ended the connection"));
  });
}
