/** The folder `/proc` of a simulated machine: what relais reads of it. */
import { type Inode, makeInode } from "./inode.ts";
import type { Machine, Process } from "./machine.ts";

const MOUNTS = "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n";
const NOT_LIMITED = "Max file locks            unlimited            unlimited            locks\n";

function makeFile(text: string): Inode {
  const inode = makeInode(1, { kind: "file", mode: 0o444, uid: 0, now: 0 });
  inode.data = Buffer.from(text, "latin1");
  inode.size = inode.data.length;
  return inode;
}

const makeLinkTo = (target: string): Inode => makeInode(1, { kind: "link", mode: 0o777, uid: 0, now: 0, target });

function makeFolderOf(names: readonly string[]): Inode {
  const folder = makeInode(1, { kind: "folder", mode: 0o555, uid: 0, now: 0 });
  for (const name of names) folder.entries.set(name, makeFile(""));
  return folder;
}

/** Null for what is not there. */
export function readProc(machine: Machine, self: Process, path: string): Inode | null {
  const [, , first, ...rest] = path.split("/");
  if (first === undefined || first === "") return makeFolderOf([...machine.processes.keys()].map(String));
  if (first === "sys") return rest.join("/") === "kernel/random/boot_id" ? makeFile(`${machine.boot}\n`) : null;
  const process = first === "self" ? self : machine.processes.get(Number(first));
  return process === undefined ? null : readProcessFile(process, rest.join("/"));
}

function readProcessFile({ pid, parent, session, start, argv, env }: Process, file: string): Inode | null {
  switch (file) {
    case "":
      return makeFolderOf(["stat"]);
    case "stat": {
      const fields = ["S", parent, session, session, 0, -1, ...Array.from({ length: 13 }, () => 0), start, 0, 0];
      return makeFile(`${pid} (${argv[0]?.split("/").at(-1) ?? ""}) ${fields.join(" ")}\n`);
    }
    case "environ":
      return makeFile(
        Object.entries(env)
          .map(([name, value]) => `${name}=${value}\0`)
          .join(""),
      );
    case "cmdline":
      return makeFile(argv.map((argument) => `${argument}\0`).join(""));
    case "status":
      return makeFile(`Name:\t${argv[0] ?? ""}\nUid:\t1000\t1000\t1000\t1000\n`);
    case "limits":
      return makeFile(NOT_LIMITED);
    case "mountinfo":
      return makeFile(MOUNTS);
    case "ns/pid":
      return makeLinkTo("pid:[4026531836]");
    case "cgroup":
      return makeFile("0::/\n");
    default:
      return null;
  }
}
