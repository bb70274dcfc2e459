import { join } from "node:path";
import { AGENT_LOGINS } from "../agents/logins.ts";
import type { Driver } from "../agents/driver.ts";
import { CONFIG_NAME, type Config } from "../config/config.ts";
import { listHeldOutFiles } from "../checks/pure/held-out.ts";
import type { Repository } from "../git/repository-layout.ts";
import type { Enclosure } from "../process/enclosure.ts";
import { parseAllowedHost } from "../sandbox/allowed-hosts.ts";
import type { SandboxPrograms } from "../sandbox/bubblewrap.ts";
import type { SandboxProbe } from "../sandbox/probe-sandbox.ts";
import type { OpenSandbox, SandboxNetwork, SandboxRequest } from "../sandbox/sandbox.ts";
import { locateHeldOut } from "../journal/held-out-source.ts";
import { locateStateRoot } from "../journal/state-directory.ts";
import type { Place } from "./workplace.ts";

/** The public package registries, for `network_registries`. */
export const REGISTRY_HOSTS: readonly string[] = [
  "registry.npmjs.org registry.yarnpkg.com jsr.io npm.jsr.io deno.land",
  "pypi.org files.pythonhosted.org",
  "crates.io index.crates.io static.crates.io",
  "proxy.golang.org sum.golang.org",
  "rubygems.org index.rubygems.org",
  "repo.maven.apache.org repo1.maven.org plugins.gradle.org",
  "packagist.org repo.packagist.org api.nuget.org hex.pm repo.hex.pm",
].flatMap((hosts) => hosts.split(" "));

/** The sandbox around the programs of a tick, as the configuration asks for it. It is loaded if it does. */

interface Subject {
  readonly repository: Repository;
  readonly config: Config;
}

interface Probed extends Subject {
  /** A tick takes the word of an earlier one that the sandbox works; absent tries it. */
  readonly stateDirectory?: string;
}

/** Whether the sandbox works here, whatever the configuration says about it. */
export async function probeTickSandbox({ repository, config, stateDirectory }: Probed): Promise<SandboxProbe> {
  const { probeSandbox } = await import("../sandbox/probe-sandbox.ts");
  const place = { cwd: repository.root, enclosure: null };
  const request = makeRequest({ repository, config, place }, { drop: null, network: { kind: "off" } });
  return probeSandbox(request, stateDirectory === undefined ? null : { stateDirectory, name: "sandbox" });
}

/** The programs of the sandbox; null where the tick runs without one. */
export async function chooseSandbox(subject: Probed): Promise<SandboxPrograms | null> {
  if (subject.config.sandbox === "off") return null;
  const probe = await probeTickSandbox(subject);
  return probe.kind === "works" ? probe.programs : null;
}

interface SandboxedTick extends Subject {
  readonly place: Pick<Place, "cwd" | "enclosure">;
  /** Null where the tick runs without a sandbox. */
  readonly sandbox: SandboxPrograms | null;
}

/** Where programs of a session run, and what was refused to them. */
export interface TickEnclosure {
  readonly enclosure: Enclosure | null;
  readonly reach: OpenSandbox["reach"];
  readonly close: OpenSandbox["close"];
}

/** Where a session of an agent runs. The caller closes it. */
export async function openSessionSandbox(
  tick: SandboxedTick,
  { driver, drop }: { readonly driver: Driver; readonly drop: string },
): Promise<TickEnclosure> {
  const { sandbox, config, repository } = tick;
  if (sandbox === null) return withoutSandbox(tick);
  const network = await chooseNetwork(config, driver, repository);
  const { openSandbox } = await import("../sandbox/sandbox.ts");
  return openSandbox({ ...makeRequest(tick, { drop, network }), programs: sandbox, logins: AGENT_LOGINS });
}

/** Where a check runs. It has no use for the logins of agents. The caller closes it. */
export async function openCheckSandbox(tick: SandboxedTick, hasNetwork: boolean): Promise<TickEnclosure> {
  const { sandbox, repository } = tick;
  if (sandbox === null) return withoutSandbox(tick);
  const request = makeRequest(tick, { drop: null, network: { kind: hasNetwork ? "full" : "off" } });
  const logins = AGENT_LOGINS.map(({ variable, folder, file }) =>
    join(repository.environment[variable] ?? `~/${folder}`, file),
  );
  const { openSandbox } = await import("../sandbox/sandbox.ts");
  return openSandbox({ ...request, programs: sandbox, hidden: [...request.hidden, ...logins] });
}

const withoutSandbox = ({ place: { enclosure }, repository }: SandboxedTick): TickEnclosure => ({
  enclosure,
  reach: async (folder) => (await import("../sandbox/sandbox.ts")).findLoginFolder(folder, repository.environment),
  close: () => Promise.resolve({ refusedHosts: [] }),
});

function makeRequest(
  { repository, config, place }: Omit<SandboxedTick, "sandbox">,
  { drop, network }: { readonly drop: string | null; readonly network: SandboxNetwork },
): Omit<SandboxRequest, "programs"> {
  const { root, gitDir, commonDir, environment } = repository;
  return {
    place: {
      cwd: place.cwd,
      repository: { root, gitDir, commonDir },
      owned: [config.workspace_dir, CONFIG_NAME],
      dropRoot: join(config.workspace_dir, ".tmp"),
      drop,
    },
    enclosure: place.enclosure,
    environment,
    hidden: [
      ...config.sandbox_hidden,
      ...listHeldOutFiles(config.verification).map(({ source }) => locateHeldOut(source, repository)),
      ...[config.journal.sign ?? []].flat(),
      // A job has a state root of its own, and must not read that of the person.
      ...[environment["RELAIS_OUTER_STATE"] ?? []].flat(),
    ],
    stateRoot: locateStateRoot(environment),
    logins: [],
    network,
  };
}

async function chooseNetwork(config: Config, driver: Driver, { environment }: Repository): Promise<SandboxNetwork> {
  if (config.network !== "agent") return { kind: config.network };
  const hosts = [
    ...((await driver.hosts?.(environment)) ?? []),
    ...config.network_hosts,
    ...(config.network_registries ? REGISTRY_HOSTS : []),
  ];
  return { kind: "hosts", allowed: hosts.flatMap((host) => parseAllowedHost(host) ?? []) };
}

/** What a person reads about hosts that a session asked for in vain; null where there are none. */
export function describeRefusedHosts(hosts: readonly string[]): string | null {
  if (hosts.length === 0) return null;
  return `The sandbox refused the network to: ${hosts.join(", ")}. Allow a host with \`network_hosts\``;
}
