/**
 * The environment that agents and checks start with.
 *
 * It is built from nothing. A developer's shell holds tokens for clouds, registries and databases, none of which a
 * change to one repository needs, and switches (NODE_OPTIONS, LD_PRELOAD, BASH_ENV, GIT_DIR) that would make a program
 * do something else than its arguments say. So only a short list of variables is passed on, and the configuration names
 * further ones.
 */
import { delimiter, isAbsolute } from "node:path";
import type { Environment } from "../base/environment.ts";

const PASSED_ON = [
  // Who and where.
  "PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP TZ",
  // How to print.
  "LANG LANGUAGE TERM NO_COLOR",
  // How to reach the network from behind a proxy or a company's own certificates. A proxy's address may hold a
  // password, but without it there is no network at all.
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy",
  "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NIX_SSL_CERT_FILE",
  // Where programs keep their settings and caches. The runtime folder is left out: it holds sockets of other programs.
  "XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS",
  // Where toolchains are installed. Without these the shims of a version manager find nothing.
  "NVM_DIR FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR COREPACK_HOME",
  "CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN GOROOT GOPATH GOCACHE GOMODCACHE GOTOOLCHAIN",
  "PYENV_ROOT PYENV_VERSION VIRTUAL_ENV CONDA_PREFIX RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH",
  "JAVA_HOME MAVEN_HOME GRADLE_USER_HOME SDKMAN_DIR ANDROID_HOME DOTNET_ROOT",
  "ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR MISE_CONFIG_DIR HOMEBREW_PREFIX NIX_PATH SDKROOT DEVELOPER_DIR",
].flatMap((names) => names.split(" "));

/**
 * Git in a session leaves no background process behind (a repack that still runs would be seen as a change), takes no
 * lock for reading, and never waits for a password that nobody can type.
 */
const GIT_IN_A_SESSION = {
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "gc.auto",
  GIT_CONFIG_VALUE_0: "0",
  GIT_CONFIG_KEY_1: "maintenance.auto",
  GIT_CONFIG_VALUE_1: "false",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
} as const;

/** Every process of a session carries it, and those of a session inside a session carry the markers of both. */
const SESSION_MARKER = "RELAIS_SESSION";

/** The parent's `GIT_` variables would point git at another repository; `RELAIS_` ones belong to an outer session. */
const NEVER_PASSED_ON = /^(?:GIT_|RELAIS_)/;

/** The whole environment of one session; supervision adds the marker of the session. */
export function makeChildEnvironment /** The environment to choose from, usually our own. */(
  inherit: Environment /** Besides the built-in ones. */,
  names: readonly string[] /** Variables of the runner; they win over everything else. */,
  set: Readonly<Record<string, string>>,
): Record<string, string> {
  const wanted = new Set([...PASSED_ON, ...names]);
  const inherited = Object.entries(inherit).flatMap(([name, value]) => {
    const isWanted = (wanted.has(name) || name.startsWith("LC_")) && !NEVER_PASSED_ON.test(name);
    if (!isWanted || value === undefined) return [];
    return [[name, name === "PATH" ? keepAbsolute(value) : value] as const];
  });
  const outer = inherit[SESSION_MARKER];
  const marker = outer === undefined ? {} : { [SESSION_MARKER]: outer };
  return { ...Object.fromEntries(inherited), ...GIT_IN_A_SESSION, ...marker, ...set };
}

/** Makes a process and all that it starts findable by each of these markers, and by those of outer sessions. */
export function nameMarkerVariable(
  environment: Environment,
  markers: readonly (string | null | undefined)[],
): Record<string, string> {
  const carried = [environment[SESSION_MARKER], ...markers].filter((marker) => marker !== undefined && marker !== null);
  return { [SESSION_MARKER]: carried.join(":") };
}

/** The marker of the innermost session that an environment belongs to. */
export function findOwnMarker(environment: Environment): string | null {
  return environment[SESSION_MARKER]?.split(":").at(-1) ?? null;
}

/** Only these variables; one that is not set is `undefined`, which takes it away where it would be set otherwise. */
export function pickVariables(environment: Environment, names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/**
 * The folders of a search path that mean the same everywhere. A relative one would be looked up in the repository,
 * where a builder can put a program of any name.
 */
function keepAbsolute(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
