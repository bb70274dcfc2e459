/** `relais ui` as a process of its own, and requests to it that a browser would never send. */
import { request as requestHttp, type IncomingHttpHeaders } from "node:http";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import type { StreamLine } from "../../src/page/pure/repository-documents.ts";
import type { World } from "./scenario-world.ts";

const Opened = v.looseObject({ url: v.string(), port: v.number(), read_only: v.boolean() });

export interface UiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface UiQuestion {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface UiServer {
  /** With the token behind the `#`. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Sends exactly these headers, and its host. */
  readonly ask: (question: UiQuestion) => Promise<UiAnswer>;
  /** The same with the token. */
  readonly askAsOwner: (question: UiQuestion) => Promise<UiAnswer>;
  readonly ended: ReturnType<World["start"]>["ended"];
  readonly stop: () => void;
}

export async function startUi(world: Pick<World, "start">, args: readonly string[] = []): Promise<UiServer> {
  const { process: child, ended } = world.start(["ui", "--no-open", "--json", ...args]);
  if (child.stdout === null) throw new Error("the output of relais ui is not read");
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    ended.then(({ stderr }) => reject(new Error(`relais ui ended: ${stderr}`))).catch(reject);
  });
  const { url, port } = v.parse(Opened, JSON.parse(first));
  const token = url.slice(url.indexOf("#token=") + "#token=".length);
  const ask = (question: UiQuestion): Promise<UiAnswer> => send(port, question);
  return {
    url,
    port,
    token,
    ask,
    askAsOwner: ({ headers, ...question }) =>
      ask({ ...question, headers: { Authorization: `Bearer ${token}`, ...headers } }),
    ended,
    stop: () => void child.kill("SIGINT"),
  };
}

export async function withUi(
  world: Pick<World, "start">,
  args: readonly string[],
  use: (ui: UiServer) => Promise<void>,
): Promise<void> {
  const ui = await startUi(world, args);
  try {
    await use(ui);
  } finally {
    ui.stop();
    await ui.ended;
  }
}

function send(port: number, { path, method = "GET", headers = {}, body }: UiQuestion): Promise<UiAnswer> {
  return new Promise((resolve, reject) => {
    const sent = { Host: `127.0.0.1:${port}`, ...headers };
    const asked = requestHttp(
      { host: "127.0.0.1", port, path, method, headers: { ...sent }, agent: false, signal: bound() },
      (answer) => {
        text(answer)
          .then((said) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: said }))
          .catch(reject);
      },
    );
    asked.once("error", reject);
    asked.end(body);
  });
}

/** Nothing is asked for ever: a server that does not answer is a failure, with its place. */
const bound = (): AbortSignal => AbortSignal.timeout(60_000);

const isReady = (lines: readonly StreamLine[]): boolean => lines.some(({ kind }) => kind === "ready");

/** The first lines of the stream, up to the one that says that everything important was sent. */
export async function readStream(
  { port, token }: UiServer,
  isEnough: (lines: readonly StreamLine[]) => boolean = isReady,
): Promise<readonly StreamLine[]> {
  const response = await fetch(`http://127.0.0.1:${port}/api/stream`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: bound(),
  });
  if (response.body === null) throw new Error("the stream is empty");
  const lines: StreamLine[] = [];
  let rest = "";
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const found = `${rest}${part}`.split("\n");
    rest = found.pop() ?? "";
    lines.push(...found.map((line): StreamLine => JSON.parse(line)));
    if (isEnough(lines)) break;
  }
  return lines;
}
