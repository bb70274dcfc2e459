import * as v from "valibot";
import { key } from "./key.ts";

const BranchText = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.regex(
    /^(?![-/.])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[^\s~^:?*[\\\0]+$/,
    "git does not accept it in the name of a branch",
  ),
);

export const Git = v.strictObject({
  commit: key(
    v.picklist(["loop", "always", "never"]),
    "Who commits. `loop`: loops only; `relais run` leaves the change for `relais accept`. `always`: both. `never`: neither, so no loop can run.",
    "loop",
  ),
  hooks: key(
    v.picklist(["off", "run"]),
    "Run the repository's hooks when relais commits, as they were before the build.",
    "off",
  ),
  protected_branches: key(
    v.pipe(v.array(BranchText), v.maxLength(100)),
    "Branches that only `relais accept` and `relais land` commit to. Series get a branch of their own.",
    ["main", "master"],
  ),
  branch_prefix: key(BranchText, "Prefix of the branches that relais creates.", "relais/"),
});

export const Isolation = key(
  v.picklist(["auto", "in_place", "overlay", "clone"]),
  "Where a builder works: an overlay of your working tree (Linux), a clone, or your working tree itself (`in_place`). `auto`: the first that works.",
  "auto",
);
export const SandboxWish = v.picklist(["auto", "off", "required"]);
export const Sandbox = key(
  SandboxWish,
  "Whether agents and checks run in a sandbox: `auto` where it works, `required` blocks every tick where it does not.",
  "auto",
);
/** Absolute, or below the home; nothing that climbs. */
export const PersonalPath = v.pipe(
  v.string(),
  v.maxLength(400),
  v.regex(/^(?:~\/|\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\0]+$/, "write an absolute path, or one that begins with `~/`"),
);
export const SandboxHidden = key(
  v.pipe(v.array(PersonalPath), v.maxLength(200)),
  "Files and folders that nothing in the sandbox can read. `~/` is your home.",
  [
    "~/.ssh",
    "~/.gnupg",
    "~/.aws",
    "~/.azure",
    "~/.config/gcloud",
    "~/.config/gh",
    "~/.config/hub",
    "~/.kube",
    "~/.docker/config.json",
    "~/.npmrc",
    "~/.yarnrc.yml",
    "~/.pypirc",
    "~/.netrc",
    "~/.git-credentials",
    "~/.config/git/credentials",
    "~/.cargo/credentials.toml",
    "~/.gem/credentials",
    "~/.m2/settings.xml",
    "~/.gradle/gradle.properties",
    "~/.terraform.d",
    "~/.vault-token",
    "~/.pgpass",
    "~/.my.cnf",
    "~/.password-store",
    "~/.local/share/keyrings",
    "~/.config/op",
    "~/.mozilla",
    "~/.config/google-chrome",
    "~/.config/chromium",
    "~/.bash_history",
    "~/.zsh_history",
  ],
);
export const Network = key(
  v.picklist(["off", "agent", "full"]),
  "What sessions in the sandbox can reach: nothing, the service of the model and `network_hosts`, or everything.",
  "agent",
);
const HostText = v.pipe(
  v.string(),
  v.maxLength(300),
  v.regex(
    /^(?:https?:\/\/)?(?:\*\.)?[A-Za-z0-9[\]:._-]+(?:\/\S*)?$/,
    "write a host (`example.org`, `*.example.org`, `example.org:8443`) or an address (`http://127.0.0.1:8080`)",
  ),
);
export const NetworkHosts = key(
  v.pipe(v.array(HostText), v.maxLength(200)),
  "More hosts for `network: agent`: `example.org`, `*.example.org`, `example.org:8443`, or an address such as `http://127.0.0.1:8080`.",
  [],
);
export const NetworkRegistries = key(
  v.boolean(),
  "Also reach the public package registries with `network: agent`. A session that can download packages can also send data there.",
  false,
);
export const Ignored = key(
  v.picklist(["report", "forbid", "allow"]),
  "A change to an ignored file. `forbid`: a stop, or a note if the file is new. `report`: a note. `allow`: fine.",
  "forbid",
);
