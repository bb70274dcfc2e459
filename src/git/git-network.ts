/**
 * Git that reaches another repository: over the network, or a bundle.
 *
 * Here the person's own transports, proxies and credential helpers count. Nobody is asked for a password, because nobody
 * may be there.
 */
import type { Environment } from "../base/environment.ts";
import { pickVariables } from "../system/child-environment.ts";
import { HARDENING } from "./git-environment.ts";
import { type GitAnswer, type GitRequest, runGit } from "./git.ts";

/** Settings of every other git process that would keep it from reaching anything. */
const LIFTED = ["protocol.allow=never", "credential.helper="];

const NETWORK_HARDENING = [
  ...HARDENING.filter((word) => word !== "-c" && !LIFTED.includes(word)),
  "protocol.ext.allow=never",
  // Hooks of a template would be hooks of the new repository.
  "init.templateDir=",
].flatMap((setting) => ["-c", setting]);

const VARIABLES = [
  "HOME XDG_CONFIG_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM SSH_AUTH_SOCK GIT_SSL_CAINFO SSL_CERT_FILE SSL_CERT_DIR",
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy",
].flatMap((names) => names.split(" "));

export function runNetworkGit(request: Omit<GitRequest, "hardening" | "env">): Promise<GitAnswer> {
  return runGit({ ...request, hardening: NETWORK_HARDENING, env: makeVariables(request.environment) });
}

function makeVariables(environment: Environment): Record<string, string | undefined> {
  return {
    ...pickVariables(environment, VARIABLES),
    GIT_SSH_COMMAND: environment["GIT_SSH_COMMAND"] ?? "ssh -oBatchMode=yes",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
  };
}
