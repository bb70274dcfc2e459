import { basename, resolve } from "node:path";
import { HostName } from "../../../contract/queue/fleet.ts";
import { parseWith } from "../../../contract/schema/schema-error.ts";
import { locateServerFolder } from "../../../run/fleet/fleet-file.ts";
import { inviteMember } from "../../../run/fleet/invite-member.ts";
import { joinFleet } from "../../../run/fleet/join-fleet.ts";
import { type ReadyServer, serveFleet } from "../../../run/fleet/serve-fleet.ts";
import { neutralise, neutraliseLines } from "../../../view/text/neutralise.ts";
import { printAnswer } from "../../answers/print-answer.ts";
import { readCommandEnd } from "../../answers/refusal-answer.ts";
import { refuseMisuse, type RunCommand, type Session } from "../../framework/command.ts";
import type { InviteOptions, ServeQueueOptions } from "./fleet-spec.ts";

const PORT = 4222;

function locateFolder(asked: string | null, { cwd, environment }: Session): string {
  return asked === null ? locateServerFolder(environment) : resolve(cwd, asked);
}

export const serveQueue: RunCommand<ServeQueueOptions> = async ({ options }, session) => {
  const host = options.text("host") ?? "localhost";
  if (parseWith(HostName, host).kind === "invalid")
    return refuseMisuse(`--host is a name such as queue.example.com, because a certificate is for a name: "${host}"`);
  let shown = -1;
  const onReady = (server: ReadyServer): void => {
    if (server.repositories === shown) return;
    shown = server.repositories;
    const { url, version, durable, repositories, config } = server;
    if (session.json)
      session.out(`${JSON.stringify({ kind: "serving", url, version, durable, repositories, config })}\n`);
    else session.out(describeServer(server));
  };
  const end = await serveFleet({
    folder: locateFolder(options.text("dir"), session),
    host,
    port: options.number("port") ?? PORT,
    environment: session.environment,
    signal: session.signal,
    onReady,
    onTrouble: (message) => session.err(`relais: ${neutralise(message)}\n`),
  });
  if (end.kind !== "stopped") return readCommandEnd(end, session);
  return printAnswer({ document: { kind: "stopped" }, text: () => "The server has ended.\n" }, session);
};

function describeServer({ url, version, durable, repositories }: ReadyServer): string {
  const words =
    durable === "fsync"
      ? "each answer is on the disk"
      : "deferred: a power cut may take back the last two minutes; nats-server 2.10 or later syncs each write";
  const next = repositories === 0 ? "Next: relais queue invite NAME --repo URL\n" : "";
  return `${url} (${version}), repositories: ${repositories}\nDurability: ${words}.\n${next}`;
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
