/**
 * The forwarder inside of a sandbox without a network.
 *
 * It listens on the loopback of the sandbox, passes every connection on to the socket of the proxy, and starts the
 * program as its child. Node alone starts it, from the text of two functions, because loading all of relais would take
 * twice as long: so each of them uses nothing but its parameters and what Node brings.
 */
import type { Socket } from "node:net";

/** Joins a connection with the proxy. With a target, the proxy is asked for that one; else the program asks itself. */
function joinProxy(inside: Socket, socketPath: string, target: string | null): void {
  const outside = process.getBuiltinModule("node:net").connect(socketPath);
  inside.on("error", () => outside.destroy()).on("close", () => outside.destroy());
  outside.on("error", () => inside.destroy()).on("close", () => inside.destroy());
  if (target === null) {
    inside.pipe(outside).pipe(inside);
    return;
  }
  outside.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
  let reply = "";
  const read = (chunk: Buffer): void => {
    reply += chunk.toString("latin1");
    const end = reply.indexOf("\r\n\r\n");
    if (end === -1) return;
    outside.off("data", read);
    outside.pause();
    if (!reply.startsWith("HTTP/1.1 200")) return void inside.destroy();
    outside.unshift(Buffer.from(reply.slice(end + 4), "latin1"));
    inside.pipe(outside).pipe(inside);
  };
  outside.on("data", read);
}

function forward(argv: readonly string[], join: typeof joinProxy): void {
  const { createServer } = process.getBuiltinModule("node:net");
  const { spawn } = process.getBuiltinModule("node:child_process");
  const [socketPath = "", proxyPort = "", loopback = "", file = "", ...args] = argv;
  const listen = (port: string, host: string, target: string | null): Promise<unknown> => {
    const server = createServer((inside) => join(inside, socketPath, target));
    server.unref();
    return new Promise((resolve) => server.once("error", resolve).listen(Number(port), host, () => resolve(null)));
  };
  const start = (): void => {
    const child = spawn(file, args, { stdio: "inherit" });
    const signals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
    for (const signal of signals) process.on(signal, () => child.kill(signal));
    child.once("error", (error) => {
      process.stderr.write(`${file} cannot be started: ${error.message}\n`);
      process.exit(127);
    });
    child.once("exit", (status, signal) => {
      if (signal === null) process.exit(status ?? 1);
      for (const one of signals) process.removeAllListeners(one);
      process.kill(process.pid, signal);
    });
  };
  const targets = loopback.split(",").filter((target) => target !== "");
  const ports = targets.flatMap((target) => {
    const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/u.exec(target) ?? [];
    const hosts = host === "localhost" ? ["127.0.0.1", "::1"] : [host];
    return hosts.map((one) => listen(port, one, target));
  });
  void Promise.all([listen(proxyPort, "127.0.0.1", null), ...ports]).then(start);
}

export interface ForwardRequest {
  /** The proxy, as the inside sees it. */
  readonly socketPath: string;
  readonly proxyPort: number;
  /** `host:port` of services of this machine that are reached through the proxy under their own port. */
  readonly loopback: readonly string[];
}

/** The argv that starts a program behind the forwarder; the program follows. */
export function listForwarderArgv(node: string, { socketPath, proxyPort, loopback }: ForwardRequest): string[] {
  const text = `(${forward.toString()})(process.argv.slice(1), ${joinProxy.toString()})`;
  return [node, "-e", text, "--", socketPath, String(proxyPort), loopback.join(",")];
}
