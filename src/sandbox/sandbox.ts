/** A sandbox for one session of an agent, or for one check. It belongs to this session alone. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { beginOwnName, removeLeftFolders } from "../system/own-folders.ts";
import { resolveReal } from "../system/outside-repository.ts";
import { listMountPoints } from "./mount-points.ts";
import type { Enclosure, EnteringProgram } from "../process/enclosure.ts";
import { type AllowedHost, isLoopback, writeTarget } from "./allowed-hosts.ts";
import { BUBBLEWRAP_PROCESSES, listBubblewrapArgv, nameLower, type SandboxPrograms } from "./bubblewrap.ts";
import { type ConnectProxy, startConnectProxy } from "./connect-proxy.ts";
import { listForwarderArgv } from "./forward.ts";
import { hasMounts, splitFolder } from "./split-folder.ts";
import { findLoginFolder, keepLogin, type KeptLogin, type LoginPlace, openKeptFolder } from "./login-files.ts";
import { isWithin } from "./is-within.ts";
import { listMountsOfSandbox, listPrivateFolders, listProgramFolders, type SandboxPlace } from "./sandbox-mounts.ts";

export type SandboxNetwork =
  | { readonly kind: "off" | "full" }
  /** Only these hosts, through a proxy. */
  | { readonly kind: "hosts"; readonly allowed: readonly AllowedHost[] };

export interface SandboxRequest {
  readonly programs: SandboxPrograms;
  readonly place: Omit<SandboxPlace, "view">;
  /** Of the place; null where its programs run beside us. */
  readonly enclosure: Enclosure | null;
  /** Of the person. */
  readonly environment: Environment;
  readonly hidden: readonly string[];
  readonly stateRoot: string;
  /** The logins that it may renew. */
  readonly logins: readonly LoginPlace[];
  readonly network: SandboxNetwork;
}

export interface OpenSandbox {
  readonly enclosure: Enclosure;
  /** Writes renewed logins back and drops the rest. Answers with the hosts that were asked for and refused. */
  readonly close: () => Promise<{ readonly refusedHosts: readonly string[] }>;
}

/** A place in memory that an overlay can always be written to, and that no sandbox shows. */
const MEMORY = "/dev/shm";

/** The folder that holds those of all sandboxes. */
export function locateSandboxes(): string {
  return existsSync(MEMORY) ? MEMORY : "/tmp";
}

const PROXY_SOCKET = "/run/relais-proxy.sock";
const PROXY_PORT = 3128;
/** Certificates, by the usual variables: they may lie anywhere. */
const FILE_VARIABLES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"];

export async function openSandbox(request: SandboxRequest): Promise<OpenSandbox> {
  const around = locateSandboxes();
  removeLeftFolders(around);
  const folder = mkdtempSync(join(around, beginOwnName()));
  try {
    mkdirSync(join(folder, "m"), { mode: 0o700 });
    const logins = await keepLogins(request, folder);
    const proxy = await openProxy(request, folder);
    return {
      enclosure: makeEnclosure(request, { folder, logins }),
      close: async () => {
        await proxy?.close();
        try {
          for (const login of logins) await login.writeBack();
        } finally {
          dropFolder(folder, logins);
        }
        return { refusedHosts: proxy?.refused() ?? [] };
      },
    };
  } catch (error) {
    dropFolder(folder, []);
    throw error;
  }
}

interface OwnParts {
  readonly folder: string;
  readonly logins: readonly KeptLogin[];
}

function makeEnclosure(request: SandboxRequest, { folder, logins }: OwnParts): Enclosure {
  const { place, environment, network, enclosure } = request;
  const view = enclosure?.view ?? ((path: string) => path);
  const outer = listPrivateFolders(environment, place.cwd).filter(
    (path) => !logins.some((login) => isWithin(path, login.path)),
  );
  const mountPoints = listMountPoints().filter((path) => !isWithin(path, place.cwd));
  const split = outer
    .filter((path) => hasMounts(path, mountPoints))
    .map((path, index) => splitFolder(path, join(folder, `split-${index}`), mountPoints));
  const whole = outer.filter((path) => !hasMounts(path, mountPoints));
  const overlays = [...whole, ...split.flatMap((one) => one.overlays)];
  const own = overlays.filter((path) => !logins.some((login) => login.path === path));
  const privateFolders = [...own.map((path) => ({ path, kept: null })), ...logins];
  for (const [index, { path }] of privateFolders.entries()) symlinkSync(path, join(folder, nameLower(index)));
  return {
    view,
    wrappers: BUBBLEWRAP_PROCESSES,
    enter: (program) =>
      listBubblewrapArgv(
        {
          programs: request.programs,
          door: enclosure?.door?.() ?? [],
          user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
          folder,
          privateFolders,
          mounts: listMountsOfSandbox({
            ...request,
            place: { ...place, view },
            privateFolders: privateFolders.map(({ path }) => path),
            split,
            mountPoints,
            needed: [
              ...listNeededPaths(environment, network),
              ...listProgramFolders(program.file),
              ...listScriptFolders(program),
              ...program.args.filter((argument) => argument.startsWith("/")),
            ],
          }),
          hasNetwork: network.kind === "full",
          ...(network.kind === "hosts" ? goThroughProxy(network.allowed, folder) : { more: [], before: [] }),
        },
        program,
      ),
  };
}

/** A script of Node may need what is beside it, as relais itself does. */
function listScriptFolders({ file, args: [script = ""] }: EnteringProgram): readonly string[] {
  return file === process.execPath && script.startsWith("/") ? listProgramFolders(script) : [];
}

function listNeededPaths(environment: Environment, network: SandboxNetwork): readonly string[] {
  const path = (environment["PATH"] ?? "").split(delimiter);
  const files = FILE_VARIABLES.flatMap((name) => environment[name] ?? []);
  const resolver = network.kind === "full" ? (resolveReal("/etc/resolv.conf") ?? []) : [];
  return [...path, ...files, ...listProgramFolders(process.execPath)].concat(resolver);
}

/** The variables and the forwarder by which programs find the proxy. */
function goThroughProxy(allowed: readonly AllowedHost[], folder: string) {
  const loopback = allowed.filter(isLoopback);
  const proxyPort = findFreePort(loopback);
  const address = `http://127.0.0.1:${proxyPort}`;
  const variables = {
    ...Object.fromEntries(
      ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
        .flatMap((name) => [name, name.toLowerCase()])
        .map((name) => [name, address]),
    ),
    NO_PROXY: "localhost,127.0.0.1,::1",
    no_proxy: "localhost,127.0.0.1,::1",
    NODE_USE_ENV_PROXY: "1",
  };
  return {
    more: [
      "--bind",
      join(folder, "proxy.sock"),
      PROXY_SOCKET,
      ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    ],
    before: listForwarderArgv(process.execPath, {
      socketPath: PROXY_SOCKET,
      proxyPort,
      loopback: loopback.map(writeTarget),
    }),
  };
}

function findFreePort(taken: readonly AllowedHost[]): number {
  let port = PROXY_PORT;
  while (taken.some((one) => one.port === port)) port += 1;
  return port;
}

async function openProxy({ network, environment }: SandboxRequest, folder: string): Promise<ConnectProxy | null> {
  if (network.kind !== "hosts") return null;
  return startConnectProxy({ socketPath: join(folder, "proxy.sock"), allowed: network.allowed, environment });
}

async function keepLogins(
  { logins, environment, place }: SandboxRequest,
  folder: string,
): Promise<readonly KeptLogin[]> {
  const kept: KeptLogin[] = [];
  for (const [index, login] of logins.entries()) {
    const path = findLoginFolder(login, environment);
    if (path === null || isWithin(path, place.cwd) || kept.some((other) => other.path === path)) continue;
    kept.push(await keepLogin(path, login, join(folder, `login-${index}`)));
  }
  return kept;
}

function dropFolder(folder: string, logins: readonly Pick<KeptLogin, "kept">[]): void {
  for (const { kept } of logins) openKeptFolder(kept);
  rmSync(folder, { recursive: true, force: true });
}
