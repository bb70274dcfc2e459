import type { Socket } from "node:net";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { isAbsolute, join, delimiter } from "node:path";
import type { Environment } from "../base/environment.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readBounded } from "../system/bounded-file.ts";
import { parseJson } from "../system/parse-json.ts";
import { resolveReal } from "../system/outside-repository.ts";
import { withHome } from "../system/with-home.ts";
import { beginOwnName, removeLeftFolders } from "../system/own-folders.ts";
import {
  listMountPoints,
  hasMounts,
  splitFolder,
  listMountsOfSandbox,
  listPrivateFolders,
  listProgramFolders,
  type SandboxPlace,
  isWithin,
} from "./sandbox-mounts.ts";
import type { Enclosure, EnteringProgram } from "../process/enclosure.ts";
import { type AllowedHost, isLoopback, writeTarget } from "./allowed-hosts.ts";
import { BUBBLEWRAP_PROCESSES, listBubblewrapArgv, nameLower, type SandboxPrograms } from "./bubblewrap.ts";
import { type ConnectProxy, startConnectProxy } from "./connect-proxy.ts";

/**
 * The forwarder inside of a sandbox without a network.
 *
 * It listens on the loopback of the sandbox, passes every connection on to the socket of the proxy, and starts the
 * program as its child. Node alone starts it, from the text of two functions, because loading all of relais would take
 * twice as long: so each of them uses nothing but its parameters and what Node brings.
 */

/** Joins a connection with the proxy. With a target, the proxy is asked for that one; else the program asks itself. */
function joinProxy(inside: Socket, socketPath: string, target: string | null): void {
  const outside = process.getBuiltinModule("node:net").connect(socketPath);
  inside.on("error", () => outside.destroy()).on("close", () => outside.destroy());
  outside.on("error", () => inside.destroy()).on("close", () => inside.destroy());
  if (target === null) {
    inside.pipe(outside).pipe(inside);
    return;
  }
  outside.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
  let reply = "";
  const read = (chunk: Buffer): void => {
    reply += chunk.toString("latin1");
    const end = reply.indexOf("\r\n\r\n");
    if (end === -1) return;
    outside.off("data", read);
    outside.pause();
    if (!reply.startsWith("HTTP/1.1 200")) return void inside.destroy();
    outside.unshift(Buffer.from(reply.slice(end + 4), "latin1"));
    inside.pipe(outside).pipe(inside);
  };
  outside.on("data", read);
}

function forward(argv: readonly string[], begin: typeof joinProxy): void {
  const { createServer } = process.getBuiltinModule("node:net");
  const { spawn } = process.getBuiltinModule("node:child_process");
  const [socketPath = "", proxyPort = "", loopback = "", file = "", ...args] = argv;
  const listen = (port: string, host: string, target: string | null): Promise<unknown> => {
    const server = createServer((inside) => begin(inside, socketPath, target));
    server.unref();
    return new Promise((resolve) => server.once("error", resolve).listen(Number(port), host, () => resolve(null)));
  };
  const start = (): void => {
    const child = spawn(file, args, { stdio: "inherit" });
    const signals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;
    for (const signal of signals) process.on(signal, () => child.kill(signal));
    child.once("error", (error) => {
      process.stderr.write(`${file} cannot be started: ${error.message}\n`);
      process.exit(127);
    });
    child.once("exit", (status, signal) => {
      if (signal === null) process.exit(status ?? 1);
      for (const one of signals) process.removeAllListeners(one);
      process.kill(process.pid, signal);
    });
  };
  const targets = loopback.split(",").filter((target) => target !== "");
  const ports = targets.flatMap((target) => {
    const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/u.exec(target) ?? [];
    const hosts = host === "localhost" ? ["127.0.0.1", "::1"] : [host];
    return hosts.map((one) => listen(port, one, target));
  });
  void Promise.all([listen(proxyPort, "127.0.0.1", null), ...ports]).then(start);
}

/** The argv that starts a program behind the forwarder; the program follows. */
export function listForwarderArgv(
  node: string /** The proxy, as the inside sees it. */,
  socketPath: string,
  proxyPort: number /** `host:port` of services of this machine that are reached through the proxy under their own port. */,
  loopback: readonly string[],
): string[] {
  const text = `(${forward.toString()})(process.argv.slice(1), ${joinProxy.toString()})`;
  return [node, "-e", text, "--", socketPath, String(proxyPort), loopback.join(",")];
}

/**
 * Logins of agents, which may be renewed during a session.
 *
 * The folder of a login is private to the session as all others, but what is written there stays until the end. A renewed
 * login is then written back, if it has the same form as the old one and nobody else changed that one meanwhile. A
 * service may accept a renewed login only, so losing it would log the person out.
 */

export interface AgentFolder {
  /** The variable that names the folder of the agent. */
  readonly variable: string;
  /** The usual folder, below HOME. */
  readonly folder: string;
}

export interface LoginPlace extends AgentFolder {
  /** The file in that folder that holds the login, as JSON. */
  readonly file: string;
}

export interface KeptLogin {
  /** The folder of the agent, as a real path. */
  readonly path: string;
  /** Where the writing of the session stays. */
  readonly kept: string;
  /** Writes a renewed login back. */
  readonly writeBack: () => Promise<void>;
}

const LOGIN_BYTES_MAX = 1024 * 1024;

/** The folders of agents that exist; null for one that does not. */
export function findLoginFolder({ variable, folder }: AgentFolder, environment: Environment): string | null {
  const named = environment[variable] ?? "";
  const home = withHome(environment)["HOME"] ?? "";
  const path = resolveReal(isAbsolute(named) ? named : join(home, folder));
  return path !== null && lstatSync(path).isDirectory() ? path : null;
}

export async function keepLogin(path: string, { file }: LoginPlace, kept: string): Promise<KeptLogin> {
  for (const name of ["", "up", "work"]) mkdirSync(join(kept, name), { mode: 0o700 });
  // The real file behind a link, which a person's own tools may have put there.
  const target = resolveReal(join(path, file));
  const before = target === null ? null : await readText(target);
  return {
    path,
    kept,
    writeBack: async () => {
      const left = join(kept, "up", file);
      const isFile = lstatSync(left, { throwIfNoEntry: false })?.isFile() ?? false;
      const after = isFile ? await readText(left) : null;
      if (target === null || before === null || after === null || after === before) return;
      if (!hasSameForm(parseJson(before), parseJson(after)) || (await readText(target)) !== before) return;
      await writeAtomic(target, after, { mode: 0o600 });
    },
  };
}

/** The kernel leaves a folder there that nobody may enter. */
export function openKeptFolder(kept: string): void {
  const inner = join(kept, "work", "work");
  if (existsSync(inner)) chmodSync(inner, 0o700);
}

async function readText(path: string): Promise<string | null> {
  const read = await readBounded(path, LOGIN_BYTES_MAX);
  return read.kind === "read" ? read.data.toString("utf8") : null;
}

/** Whether both are JSON with the same keys and kinds of values. */
function hasSameForm(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one !== undefined && typeof one === typeof other && (one === null) === (other === null);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const inner = new Map(Object.entries(other));
  return (
    keys.length === others.length &&
    Object.entries(one).every(([key, value]) => inner.has(key) && hasSameForm(value, inner.get(key)))
  );
}

/** A sandbox for one session of an agent, or for one check. It belongs to this session alone. */

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
  /** Where this process reaches what the session writes to the folder of an agent; null where nothing of it stays. */
  readonly reach: (place: AgentFolder) => Promise<string | null>;
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
      enclosure: makeEnclosure(request, folder, logins),
      reach: async (place) => {
        const path = findLoginFolder(place, request.environment);
        const login = logins.find((one) => one.path === path);
        return login === undefined ? null : join(login.kept, "up");
      },
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

function makeEnclosure(request: SandboxRequest, folder: string, logins: readonly KeptLogin[]): Enclosure {
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
    before: listForwarderArgv(process.execPath, PROXY_SOCKET, proxyPort, loopback.map(writeTarget)),
  };
}

function findFreePort(taken: readonly AllowedHost[]): number {
  let port = PROXY_PORT;
  while (taken.some((one) => one.port === port)) port += 1;
  return port;
}

async function openProxy({ network, environment }: SandboxRequest, folder: string): Promise<ConnectProxy | null> {
  if (network.kind !== "hosts") return null;
  return startConnectProxy(join(folder, "proxy.sock"), network.allowed, environment);
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
