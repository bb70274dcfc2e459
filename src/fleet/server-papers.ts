/** What the other servers of a cluster need, as one private file for each of them. */
import { join } from "node:path";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { type Fleet, ServerPaper } from "../queue/pure/fleet.ts";
import type { Environment } from "../base/environment.ts";
import { findOwnServer } from "../queue/pure/server-config.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";
import { readServerFile } from "../journal/server-files.ts";
import { hideSeeds } from "./fleet-file.ts";
import { makeAuthority } from "./make-authority.ts";

/** Answers with the paths; nothing where this is not the first of several servers. */
export async function writeServerPapers(
  folder: string,
  fleet: Fleet,
  environment: Environment,
): Promise<readonly string[] | CommandFailure> {
  const { cluster } = fleet;
  if (cluster === undefined || findOwnServer(fleet) > 0) return [];
  const files: string[] = [];
  for (const [at, { host, port }] of cluster.servers.entries()) {
    if (at === 0) continue;
    const name = `server-${at + 1}`;
    const refusal = await makeAuthority(folder, { host, name, environment });
    if (refusal !== null) return refusal;
    const file = join(folder, `${name}.relais.json`);
    const [ca, certificate, key] = ["ca.pem", `${name}.pem`, `${name}.key`].map((one) => readServerFile(folder, one));
    await writePrivate(file, { version: 1, fleet: { ...hideSeeds(fleet), host, port }, ca, certificate, key });
    files.push(file);
  }
  return files;
}

/** The files of a server, from such a paper. Null where they were written. */
export async function takeServerPaper(folder: string, file: string): Promise<CommandFailure | null> {
  const read = await readPrivate(file, ServerPaper);
  if (read.kind !== "read")
    return refuse({
      cause: "no_paper",
      message: read.kind === "missing" ? `There is no file ${file}.` : `${read.reason}.`,
      next: "Name the file that `relais queue serve --with` wrote on the first server, with the mode 600.",
    });
  const { fleet, ca, certificate, key } = read.value;
  for (const [name, text] of Object.entries({ "ca.pem": ca, "server.pem": certificate, "server.key": key }))
    await writeAtomic(join(folder, name), text, { mode: 0o600 });
  await writePrivate(join(folder, "fleet.json"), fleet);
  return null;
}
