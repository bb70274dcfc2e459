/** A person of a team, with a home of its own as on another machine: the executable, not its sources. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { Invitation } from "../../src/queue/pure/fleet.ts";
import { relais } from "./relais.ts";
import type { TickRepository } from "./tick-repository.ts";

export interface FleetMember {
  readonly home: string;
  readonly environment: { readonly HOME: string; readonly XDG_STATE_HOME: string; readonly XDG_CONFIG_HOME: string };
  /** Types a command in the repository. */
  readonly type: (...args: string[]) => ReturnType<typeof relais>;
  /** Lets jobs run these commands on this machine. */
  readonly allow: (...commands: string[]) => void;
  /** Changes the settings of the person. */
  readonly set: (change: object) => void;
}

const Settings = v.looseObject({ worker: v.looseObject({}) });

export async function joinAs(
  name: string,
  { box, root, env = {} }: Pick<TickRepository, "box" | "root"> & { readonly env?: Readonly<Record<string, string>> },
  invitation: Invitation,
): Promise<FleetMember> {
  const home = join(box, name);
  mkdirSync(home);
  const file = join(home, "invitation.json");
  writeFileSync(file, JSON.stringify(invitation), { mode: 0o600 });
  const environment = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const type = (...args: string[]) => relais(args, { cwd: root, env: { ...env, ...environment } });
  const joined = await type("queue", "join", file);
  if (joined.status !== 0) throw new Error(joined.stderr);
  const settings = join(home, "config/relais/settings.json");
  const set = (change: object): void => {
    const before = v.parse(Settings, JSON.parse(readFileSync(settings, "utf8")));
    writeFileSync(settings, JSON.stringify({ ...before, ...change }), { mode: 0o600 });
  };
  const allow = (...commands: string[]): void => {
    const { worker } = v.parse(Settings, JSON.parse(readFileSync(settings, "utf8")));
    set({ worker: { ...worker, commands } });
  };
  return { home, environment, type, allow, set };
}
