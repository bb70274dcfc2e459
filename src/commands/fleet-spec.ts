import { defineCommand } from "../terminal/command.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";

const DIR = { type: "text", value: "DIR", help: "The folder of the server [server in relais's state]" } as const;

const serveOptions = {
  dir: DIR,
  host: { type: "text", value: "NAME", help: "The name by which other machines reach it [localhost]" },
  with: {
    type: "list",
    value: "NAME",
    help: "Another server that keeps everything, too, as NAME or NAME:PORT: two of them",
  },
  from: { type: "text", value: "FILE", help: "Be such a server, from the file that the first one wrote" },
  port: { type: "number", min: 1, max: 65_535, value: "PORT", help: "The port [4222]" },
} as const satisfies OptionSpecs;

const inviteOptions = {
  dir: DIR,
  repo: { type: "list", value: "URL", help: "A repository whose jobs the member may see" },
  worker: { type: "flag", help: "The member runs jobs [default]" },
  submitter: { type: "flag", help: "The member only submits jobs" },
  out: { type: "text", value: "FILE", help: "Where to write the invitation [NAME.relais.json]" },
} as const satisfies OptionSpecs;

export type ServeQueueOptions = typeof serveOptions;
export type InviteOptions = typeof inviteOptions;

export const FLEET_SPECS = [
  defineCommand({
    name: "serve",
    summary: "Run the server of a queue for several machines",
    usage: ["[--dir DIR] [--host NAME] [--port PORT] [--with NAME --with NAME | --from FILE]"],
    description: [
      "Writes a configuration for nats-server and starts it, until Ctrl-C: TLS with an authority of its own, an account",
      "for each repository, and keys with the least rights. With the default name only this machine reaches it. With two",
      "others, three servers keep everything: hand each of them its file. They also need the port 2000 above --port.",
      "Exit status 0: stopped; 10: it could not start.",
    ],
    options: serveOptions,
    examples: [
      { line: "relais queue serve --host queue.example.com", explains: "for other machines, too" },
      {
        line: "relais queue serve --host q1.example.com --with q2.example.com --with q3.example.com",
        explains: "the first of three",
      },
      { line: "relais queue serve --from server-2.relais.json", explains: "the second one, on its own machine" },
    ],
    load: async () => (await import("./fleet-commands.ts")).serveQueue,
  }),
  defineCommand({
    name: "invite",
    summary: "Make the keys of a member of the queue",
    usage: ["NAME --repo URL... [--worker | --submitter] [--dir DIR] [--out FILE]"],
    description: [
      "Writes one file to hand over. It holds private keys: send it as you would send a password, and remove it",
      "afterwards. A running `relais queue serve` takes the member at once. A second invitation of the same name for a",
      "repository replaces the first one. Exit status 0: written; 2 or 10: refused, nothing changed.",
    ],
    positionals: { max: 1, help: [["NAME", "of the member: small letters, digits and -"]] },
    options: inviteOptions,
    examples: [{ line: "relais queue invite build-1 --repo https://git.example.com/team/app", explains: "a worker" }],
    load: async () => (await import("./fleet-commands.ts")).inviteToQueue,
  }),
  defineCommand({
    name: "join",
    summary: "Use the queue of an invitation on this machine",
    usage: ["FILE"],
    description: [
      "Writes the keys and your settings (settings.json in the folder relais of your configuration). A worker takes jobs",
      "of the repositories of the invitation. Exit status 0: joined; 2 or 10: refused, nothing changed.",
    ],
    positionals: { max: 1, help: [["FILE", "the invitation"]] },
    examples: [{ line: "relais queue join build-1.relais.json", explains: "then relais doctor" }],
    load: async () => (await import("./fleet-commands.ts")).joinQueue,
  }),
  defineCommand({
    name: "rebuild",
    summary: "Bring jobs back after the server of a shared queue lost its data",
    description: [
      "Restores what this machine has submitted or run: from its own files, and from the branches on the git server. A job",
      "with an end or a branch is not run again. The queue is paused first: do it on every machine, then",
      "`relais queue resume`. Exit status 0: restored; 10: refused, or a git server could not be reached.",
    ],
    usage: [""],
    examples: [{ line: "relais queue rebuild", explains: "after `relais queue serve` runs again" }],
    load: async () => (await import("./fleet-commands.ts")).rebuildShared,
  }),
];
