/** The names of everything that a repository has on the server. `token` is that of the repository. */
export interface FleetNames {
  readonly account: string;
  /** The stream of the records, and its only subject. */
  readonly log: string;
  readonly logSubject: string;
  /** The stream of the journal lines; each attempt of a job has a subject. */
  readonly events: string;
  readonly eventSubjects: string;
  /** A bucket of keys and values. */
  readonly beats: string;
  /** An object store. */
  readonly objects: string;
  /** Another one, for snapshots of the log. */
  readonly snapshots: string;
}

export function nameFleet(token: string): FleetNames {
  return {
    account: `R_${token}`,
    log: `RELAIS_LOG_${token}`,
    logSubject: `relais.${token}.log`,
    events: `RELAIS_EV_${token}`,
    eventSubjects: `relais.${token}.ev.>`,
    beats: `relais_beat_${token}`,
    objects: `relais_obj_${token}`,
    snapshots: `relais_snap_${token}`,
  };
}

/** What all repositories share: limits of services, and the budget. */
export const TEAM = {
  account: "TEAM",
  bucket: "relais_team",
  /** The beginnings of the rows that members write. */
  memberRows: ["limit", "spent", "clock"],
  /** The cap of the budget. */
  capRow: "budget",
  /** How the server was told to sync, by the owner who started it. */
  syncRow: "sync",
} as const;

/** What three servers tell each other: who is a member, and which of them know it. */
export const SERVERS = {
  account: "SERVERS",
  bucket: "relais_servers",
  accountsRow: "accounts",
  knownRows: "known",
} as const;
