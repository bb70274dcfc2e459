/**
 * Whether a sandbox works on this machine, found out by starting one, and why it does not.
 *
 * The line is the one that sessions get. It is tried once per process for each place, and not at all by a tick where an
 * earlier one found that it works.
 */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { type SessionEnd, supervise, type SuperviseRequest } from "../process/supervise.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { isKnownToWork, type ProbeMemory, rememberThatItWorks } from "../system/remembered-probe.ts";
import type { SandboxPrograms } from "./bubblewrap.ts";
import { openSandbox, type SandboxRequest } from "./sandbox.ts";

export type SandboxProbe =
  | { readonly kind: "works"; readonly programs: SandboxPrograms }
  | { readonly kind: "refused"; readonly reason: string; readonly remedy: string };

const SYSTEM_FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];
const PROBE_MS = 10_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

type Refusal = Extract<SandboxProbe, { kind: "refused" }>;

const APPARMOR =
  "Ubuntu restricts user namespaces: allow them for bwrap with a profile in /etc/apparmor.d (`userns,` in a profile for /usr/bin/bwrap), or set kernel.apparmor_restrict_unprivileged_userns to 0.";
const SECCOMP =
  "A container refuses namespaces: start it with --security-opt seccomp=unconfined and --cap-add SYS_ADMIN (or --privileged), or run relais outside.";
const SWITCHED_OFF = "User namespaces are switched off: set user.max_user_namespaces above 0, or run relais as root.";

/** What the refusals that are known look like, with their remedies. */
const KNOWN_REFUSALS: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/RTM_NEWADDR|uid[ _]map: Permission denied|uid_map: Permission denied/u, APPARMOR],
  [/No space left on device|max_user_namespaces|user namespaces .*(?:disabled|not)/iu, SWITCHED_OFF],
  [/Operation not permitted|No permissions to create (?:a )?new namespace|Permission denied/iu, SECCOMP],
  [
    /overlay|wrong fs type/iu,
    "The kernel refuses overlays for an ordinary user (they need Linux 5.11): run relais as root, or update the kernel.",
  ],
];

const probes = new Map<string, Promise<SandboxProbe>>();

/** The answer is kept: what refuses once refuses always. */
export function probeSandbox(
  request: Omit<SandboxRequest, "programs">,
  memory: ProbeMemory | null = null,
): Promise<SandboxProbe> {
  const { cwd } = request.place;
  const known = probes.get(cwd) ?? probe(request, memory);
  probes.set(cwd, known);
  return known;
}

async function probe(request: Omit<SandboxRequest, "programs">, memory: ProbeMemory | null): Promise<SandboxProbe> {
  if (process.platform !== "linux")
    return refuse("there is a sandbox for Linux only", "Use a container, or another user.");
  const programs = await findPrograms(request);
  if ("kind" in programs) return programs;
  const subject = { about: request, files: Object.values(programs) };
  if (memory !== null && isKnownToWork(memory, subject)) return { kind: "works", programs };
  const refusal = await findBroken(programs.bwrap);
  if (refusal !== null) return refusal;
  const sandbox = await openSandbox({ ...request, programs });
  try {
    const { cwd } = request.place;
    const end = await superviseBriefly({ program: "/bin/true", args: [], cwd, enclosure: sandbox.enclosure });
    const refused = readRefusal(end);
    if (memory !== null && refused === null) rememberThatItWorks(memory, subject);
    return refused ?? { kind: "works", programs };
  } finally {
    await sandbox.close();
  }
}

const broken = new Map<string, Promise<Refusal | null>>();

/** Whether it cannot even tell its version. Asked first, because that costs next to nothing. */
function findBroken(bwrap: string): Promise<Refusal | null> {
  const known = broken.get(bwrap) ?? askVersion(bwrap);
  broken.set(bwrap, known);
  return known;
}

async function askVersion(bwrap: string): Promise<Refusal | null> {
  const end = await superviseBriefly({ program: bwrap, args: ["--version"], cwd: "/" });
  return readRefusal(end);
}

function superviseBriefly(request: Pick<SuperviseRequest, "program" | "args" | "cwd" | "enclosure">) {
  return supervise({
    ...request,
    env: {},
    input: null,
    deadlineMs: PROBE_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
    stdoutBytesMax: 0,
    stderrBytesMax: OUTPUT_BYTES_MAX,
    log: null,
  });
}

function readRefusal(end: SessionEnd): Refusal | null {
  if (end.kind === "exited" && end.status === 0) return null;
  return explain(end.kind === "not-started" ? end.message : end.stderr.toString("utf8"));
}

async function findPrograms({
  environment,
  place,
}: Omit<SandboxRequest, "programs">): Promise<SandboxPrograms | Refusal> {
  const bwrap = await findOwnProgram("bwrap", { path: environment["PATH"] ?? "", cwd: place.cwd });
  if (bwrap === null)
    return refuse("bubblewrap is not installed", "Install bubblewrap, for example with `apt install bubblewrap`.");
  const [unshare, sh] = [await findSystemProgram("unshare"), await findSystemProgram("sh")];
  if (unshare === null || sh === null) return refuse("unshare is not installed", "Install util-linux.");
  return { bwrap, unshare, sh };
}

async function findSystemProgram(name: string): Promise<string | null> {
  for (const folder of SYSTEM_FOLDERS) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

export function explain(output: string): Refusal {
  const said = output.trim().split("\n").at(-1) ?? "";
  const [, remedy] = KNOWN_REFUSALS.find(([pattern]) => pattern.test(output)) ?? [
    null,
    "Try the same with `bwrap --ro-bind / / true`.",
  ];
  return refuse(said === "" ? "bubblewrap ended without a word" : said, remedy);
}

const refuse = (reason: string, remedy: string): Refusal => ({ kind: "refused", reason, remedy });
