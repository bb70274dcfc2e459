import { basename, resolve } from "node:path";
import { HostName, ServerAddress } from "../queue/pure/fleet.ts";
import { parseWith } from "../base/schema-error.ts";
import { locateServerFolder } from "../fleet/fleet-file.ts";
import { inviteMember } from "../fleet/invite-member.ts";
import { rebuildQueue, type RebuiltJob } from "../fleet/rebuild-queue.ts";
import { joinFleet } from "../fleet/join-fleet.ts";
import { type ReadyServer, serveFleet } from "../fleet/serve-fleet.ts";
import { neutralise, neutraliseLines } from "../base/style.ts";
import { refuse } from "../records/command-failure.ts";
import { onQueue } from "./queue-answer.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { readCommandEnd } from "../terminal/refusal-answer.ts";
import { refuseMisuse, type RunCommand, type Session } from "../terminal/command.ts";
import type { InviteOptions, ServeQueueOptions } from "./fleet-spec.ts";

const DEFAULT_PORT = 4222;

function locateFolder(asked: string | null, { cwd, environment }: Session): string {
  return asked === null ? locateServerFolder(environment) : resolve(cwd, asked);
}

export const serveQueue: RunCommand<ServeQueueOptions> = async ({ options }, session) => {
  const host = options.text("host");
  if (host !== null && parseWith(HostName, host).kind === "invalid")
    return refuseMisuse(`--host is a name such as queue.example.com, because a certificate is for a name: "${host}"`);
  const others = options.list("with").map((text) => parseWith(ServerAddress, splitAddress(text)));
  const paper = options.text("from");
  if (![0, 2].includes(others.length) || others.some(({ kind }) => kind === "invalid"))
    return refuseMisuse("--with names the other two of three servers, each as NAME or NAME:PORT");
  if (paper !== null && (host !== null || others.length > 0))
    return refuseMisuse("--from has the names of all servers: leave out --host and --with");
  let shown = -1;
  const onReady = (server: ReadyServer): void => {
    if (server.repositories === shown) return;
    shown = server.repositories;
    if (session.json) session.out(`${JSON.stringify({ kind: "serving", ...server })}\n`);
    else session.out(describeServer(server));
  };
  const end = await serveFleet({
    folder: locateFolder(options.text("dir"), session),
    host,
    port: options.number("port"),
    others: others.flatMap((other) => (other.kind === "valid" ? other.value : [])),
    paper: paper === null ? null : resolve(session.cwd, paper),
    environment: session.environment,
    signal: session.signal,
    onReady,
    onPapers: (files) => {
      if (session.json) session.out(`${JSON.stringify({ kind: "servers", files })}\n`);
      else session.out(describePapers(files));
    },
    onTrouble: (message) => session.err(`relais: ${neutralise(message)}\n`),
  });
  if (end.kind !== "stopped") return readCommandEnd(end, session);
  return printAnswer({ document: { kind: "stopped" }, text: () => "The server has ended.\n" }, session);
};

function splitAddress(text: string): object {
  const [host = "", port = String(DEFAULT_PORT)] = text.split(":");
  return { host, port: Number(port) };
}

const DURABILITY = {
  fsync: "each answer is on the disk",
  deferred: "deferred: a power cut may take back the last two minutes; nats-server 2.10 or later syncs each write",
  replicated: "each answer is on two of three servers",
} as const;

function describeServer({ url, version, durable, repositories }: ReadyServer): string {
  const next = repositories === 0 ? "Next: relais queue invite NAME --repo URL\n" : "";
  return `${url} (${version}), repositories: ${repositories}\nDurability: ${DURABILITY[durable]}.\n${next}`;
}

function describePapers(files: readonly string[]): string {
  const lines = files.map((file) => `Next, on that machine: relais queue serve --from ${file}`);
  return neutraliseLines(
    `Three servers begin when two of them see each other. Hand each its file, like a password.\n${lines.join("\n")}\n`,
  );
}

export const inviteToQueue: RunCommand<InviteOptions> = async ({ positionals: [name = ""], options }, session) => {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return refuseMisuse("name the member with small letters, digits and -");
  if (options.flag("worker") && options.flag("submitter"))
    return refuseMisuse("--worker and --submitter exclude each other");
  const repositories = options.list("repo");
  if (repositories.length === 0) return refuseMisuse("name a repository with --repo");
  const role = options.flag("submitter") ? "submitter" : "worker";
  const file = resolve(session.cwd, options.text("out") ?? `${name}.relais.json`);
  const folder = locateFolder(options.text("dir"), session);
  const made = await inviteMember({ folder, name, role, repositories, file });
  if ("kind" in made) return readCommandEnd(made, session);
  const document = { name, role, url: made.url, repositories, file };
  const text = `${file} has the keys of ${name}. Hand it over like a password, and remove it here.\nNext, there: relais queue join ${basename(file)}\n`;
  return printAnswer({ document, text: () => neutraliseLines(text) }, session);
};

export const joinQueue: RunCommand = async ({ positionals: [file] }, session) => {
  if (file === undefined) return refuseMisuse("name the file of the invitation");
  const joined = await joinFleet(resolve(session.cwd, file), session.environment);
  if (joined.kind !== "joined") return readCommandEnd(joined, session);
  const { url, settings, repositories } = joined;
  const text = `The queue of this machine is ${url}; your settings are in ${settings}.\nNext: relais doctor, then remove the invitation.\n`;
  return printAnswer({ document: { url, settings, repositories }, text: () => text }, session);
};

export const rebuildShared: RunCommand = (_, session) =>
  onQueue(session, async ({ engine, known }) => {
    if (known === undefined)
      return refuse({
        cause: "own_queue",
        message: "The queue of this machine is a folder of files, which are their own record.",
        next: "See docs/queue.md.",
      });
    const { jobs } = await rebuildQueue({ ...session, engine, folder: known });
    const next = "Next: the same on every other machine, then relais queue resume";
    const text = (): string => [...jobs.map(describeRebuilt), "The queue is paused.", next, ""].join("\n");
    const status = jobs.some(({ answer }) => answer === "unreachable") ? FAILED : 0;
    return printAnswer({ document: { held: true, jobs }, text, status, isAsked: true }, session);
  });

const FAILED = 10;

function describeRebuilt({ job, answer, phase }: RebuiltJob): string {
  if (answer === "known") return `${job}  the server knows it`;
  if (answer === "unreachable") return `${job}  not restored: its git server cannot be reached, so it may have ended`;
  return `${job}  restored as ${phase}`;
}
