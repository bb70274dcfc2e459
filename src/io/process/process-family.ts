/** What is needed to tell whose a process is. */
interface Relation {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly start: string;
}

/** The processes of one supervised program: by pid with the start that makes it certain, and by session. */
export interface KnownFamily {
  readonly members: ReadonlyMap<number, string>;
  readonly sessions: ReadonlySet<number>;
}

/** Who is looked at, and the sessions that are known to be somebody else's. */
interface Table {
  readonly entries: readonly Relation[];
  readonly foreignSessions: ReadonlySet<number>;
}

/**
 * Who of `entries` belongs to the family: those known before and still there, and whoever has a parent or a session in
 * common with them. A supervised program begins its own session and nobody can join a session from outside, so a
 * session that holds one member holds only members. A foreign session is the exception that should not exist: a stranger
 * who was handed our environment is a member, but those around it are not.
 */
export function closeFamily({ entries, foreignSessions }: Table, known: KnownFamily): KnownFamily {
  const members = new Map<number, string>();
  const sessions = new Set(known.sessions);
  let outside = entries;
  for (let grew = true; grew;) {
    const before = outside.length;
    outside = outside.filter(({ pid, parent, session, start }) => {
      if (known.members.get(pid) !== start && !members.has(parent) && !sessions.has(session)) return true;
      members.set(pid, start);
      if (!foreignSessions.has(session)) sessions.add(session);
      return false;
    });
    grew = outside.length < before;
  }
  const living = new Set(entries.filter(({ pid }) => members.has(pid)).map(({ session }) => session));
  return { members, sessions: new Set([...living].filter((session) => sessions.has(session))) };
}
