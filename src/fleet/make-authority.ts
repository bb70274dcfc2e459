import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Environment } from "../base/environment.ts";
import { hasServerFile } from "../journal/server-files.ts";
import { runTool } from "./run-tool.ts";

const DAYS = "3650";
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", DAYS];

interface CertificateWish {
  readonly host: string;
  /** Of its files. */
  readonly name: string;
  readonly environment: Environment;
}

/** Makes an authority of this queue and a certificate for a server's name, once; null where both are there. */
export async function makeAuthority(
  folder: string,
  { host, name, environment }: CertificateWish,
): Promise<CommandFailure | null> {
  const authority = ["-subj", "/CN=relais queue", "-keyout", "ca.key", "-out", "ca.pem"];
  const server = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-CA", "ca.pem", "-CAkey", "ca.key"];
  const use = ["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", `${name}.key`, "-out", `${name}.pem`];
  if (!hasServerFile(folder, "ca.pem")) {
    const made = await runTool(["openssl", "req", "-x509", ...NEW_KEY, ...authority], { folder, environment });
    if (made.status !== 0) return explain(made);
  }
  if (hasServerFile(folder, `${name}.pem`)) return null;
  const made = await runTool(["openssl", "req", "-x509", ...NEW_KEY, ...server, ...use], { folder, environment });
  return made.status === 0 ? null : explain(made);
}

function explain({ status, text }: { readonly status: number | null; readonly text: string }): CommandFailure {
  const words = text.split("\n").at(-1) ?? "";
  const message = status === null ? "openssl cannot be started." : `openssl made no certificate: ${words}`;
  const next = "Install openssl 3 or later and make sure that it is on the PATH.";
  return refuse({ cause: "no_openssl", message, next });
}
