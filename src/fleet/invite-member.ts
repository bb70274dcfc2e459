import { hasLogin, nameAddress } from "../queue/pure/user-settings.ts";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Fleet, FleetAccount, FleetRole, Invitation } from "../queue/pure/fleet.ts";
import { findOwnServer } from "../queue/pure/server-config.ts";
import { writePrivate } from "../system/private-document.ts";
import { readServerFile } from "../journal/known-jobs.ts";
import { makeAccount, makeUserKey, readFleet, writeFleet } from "./fleet-file.ts";
import { writeFleetUrl } from "./make-streams.ts";

interface InviteRequest {
  /** Of the server. */
  readonly folder: string;
  readonly name: string;
  readonly role: FleetRole;
  readonly repositories: readonly string[];
  /** Where the invitation is written. */
  readonly file: string;
}

/** Gives a member a key for each repository, and one for what the team shares. A new invitation replaces the old keys. */
export async function inviteMember(request: InviteRequest): Promise<Invitation | CommandFailure> {
  const { folder, name, role, repositories } = request;
  const wrong = repositories.find((address) => nameAddress(address) === null || hasLogin(address));
  if (wrong !== undefined)
    return refuse({
      cause: "no_address",
      message: hasLogin(wrong)
        ? "An address of a repository has a login in it, which every member would get."
        : `${wrong} is no address that other machines can use.`,
      next: "Name the repository by its URL without a login, such as https://git.example.com/team/app.",
    });
  const fleet = await readFleet(folder);
  if (fleet === null)
    return refuse({
      cause: "no_fleet",
      message: `There is no queue in ${folder}.`,
      next: "Run `relais queue serve` first.",
    });
  if ("kind" in fleet) return fleet;
  if (findOwnServer(fleet) > 0)
    return refuse({
      cause: "other_server",
      message: "Members are invited on the first server; this one learns of it by itself.",
      next: `Do it on ${fleet.cluster?.servers[0]?.host ?? fleet.host}.`,
    });
  const team = makeUserKey();
  const keys = repositories.map((address) => ({ address, role, ...makeUserKey() }));
  let next: Fleet = addMember(fleet, null, { name, role, public: team.public });
  for (const { address, public: key } of keys) next = addMember(next, address, { name, role, public: key });
  const invitation: Invitation = {
    version: 1,
    name,
    team: team.seed,
    repositories: keys.map(({ address, seed }) => ({ address, role, seed })),
    url: writeFleetUrl(fleet),
    ca: readServerFile(folder, "ca.pem"),
  };
  await writePrivate(request.file, invitation);
  await writeFleet(folder, next);
  return invitation;
}

function addMember(fleet: Fleet, repository: string | null, member: FleetAccount["members"][number]): Fleet {
  const isMeant = (account: FleetAccount): boolean =>
    repository === null || account.repository === null
      ? account.repository === repository
      : nameAddress(account.repository) === nameAddress(repository);
  const known = fleet.accounts.some(isMeant) ? fleet.accounts : [...fleet.accounts, makeAccount(repository)];
  const accounts = known.map((account) => {
    if (!isMeant(account)) return account;
    return { ...account, members: [...account.members.filter(({ name }) => name !== member.name), member] };
  });
  return { ...fleet, accounts };
}
