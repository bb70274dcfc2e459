/** The repository of a simulated world, made as git would have made it. */
import type { Machine } from "./machine.ts";
import { NodeFiles } from "./node-files.ts";
import { noteSeen, renderIndex } from "./git/index-file.ts";
import { writeObject, writeTrees } from "./git/objects.ts";

export const REPOSITORY = "/home/me/project";
export const ENVIRONMENT = {
  PATH: "/usr/bin:/bin",
  HOME: "/home/me",
  XDG_STATE_HOME: "/home/me/state",
  TMPDIR: "/tmp",
  LC_ALL: "C",
} as const;

const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[user]
\tname = Me
\temail = me@example.com
`;
const PROGRAMS = ["git", "node", "agent", "check"];
const WHO = "Me <me@example.com> 1767225600 +0000";

/** Folders of the system, owned by root; the process that sets the world up may do everything. */
export function makeSystem(machine: Machine): NodeFiles {
  const { disk } = machine;
  const folder = (path: string, mode: number, uid: number): void => {
    let at = disk.root;
    for (const name of path.split("/").filter((one) => one !== "")) {
      const next = at.entries.get(name) ?? disk.make("folder", { mode, uid });
      if (!at.entries.has(name)) disk.link(at, name, next);
      at = next;
    }
  };
  for (const path of ["/usr/bin", "/bin", "/dev", "/etc"]) folder(path, 0o755, 0);
  folder("/tmp", 0o777, 0);
  folder("/dev/shm", 0o777, 0);
  folder("/home", 0o755, 0);
  folder("/home/me", 0o755, 1000);
  const process = machine.start({ argv: ["setup"], env: {}, cwd: "/", parent: null });
  const files = new NodeFiles(
    () => process.files,
    () => "setup",
  );
  const bin = disk.root.entries.get("usr")?.entries.get("bin");
  for (const name of PROGRAMS) if (bin !== undefined) disk.link(bin, name, disk.make("file", { mode: 0o755, uid: 0 }));
  return files;
}

/** A repository with one commit on the branch `work`. */
export function makeRepository(files: NodeFiles, contents: Readonly<Record<string, string>>): void {
  const gitDir = `${REPOSITORY}/.git`;
  for (const path of ["objects/info", "objects/pack", "refs/heads", "refs/tags", "logs/refs/heads", "info"])
    files.mkdirSync(`${gitDir}/${path}`, { recursive: true });
  files.writeFileSync(`${gitDir}/HEAD`, "ref: refs/heads/work\n");
  files.writeFileSync(`${gitDir}/config`, CONFIG);
  const stores = { files, folders: [`${gitDir}/objects`] };
  const entries = Object.entries(contents).map(([path, text]) => {
    const absolute = `${REPOSITORY}/${path}`;
    files.mkdirSync(absolute.replace(/\/[^/]*$/, ""), { recursive: true });
    files.writeFileSync(absolute, text);
    const id = writeObject(stores, "blob", Buffer.from(text));
    return { path, id, mode: "100644", stats: files.lstatSync(absolute) };
  });
  const tree = writeTrees(stores, new Map(entries.map(({ path, mode, id }) => [path, { mode, id }])));
  const commit = writeObject(stores, "commit", Buffer.from(`tree ${tree}\nauthor ${WHO}\ncommitter ${WHO}\n\nfirst\n`));
  files.writeFileSync(`${gitDir}/refs/heads/work`, `${commit}\n`);
  const line = `${"0".repeat(40)} ${commit} ${WHO}\tcommit (initial): first\n`;
  for (const log of ["HEAD", "refs/heads/work"]) files.writeFileSync(`${gitDir}/logs/${log}`, line);
  const known = entries.flatMap(({ path, mode, id, stats }) =>
    stats === undefined ? [] : [[path, { mode, id, seen: noteSeen(stats) }] as const],
  );
  files.writeFileSync(`${gitDir}/index`, renderIndex(new Map(known)));
}
