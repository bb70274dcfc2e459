/**
 * Temporary folders have the process in their name, so that they can be removed if it is killed: by the next recovery, or
 * by the next process that opens a sandbox. They hold contents of files, or what a session wrote beside its login.
 */
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "./read-files.ts";
import { removeTrees } from "./remove-files.ts";

const PREFIX = "relais";

/** The beginning of the names of this process's folders. A pid has a meaning in its own namespace only. */
export function beginOwnName(): string {
  return `${PREFIX}-${readPidNamespace()}-${process.pid}-`;
}

function readPidNamespace(): string {
  if (process.platform !== "linux") return "0";
  return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/gu, "");
}

/** The folders of this user's processes that have ended without removing them. */
export function listLeftFolders(around: string): readonly string[] {
  const own = new RegExp(`^${PREFIX}-${readPidNamespace()}-(\\d+)-\\w{6}$`, "u");
  return listNames(around)
    .filter((name) => isEnded(Number(own.exec(name)?.[1] ?? process.pid)) && isMine(join(around, name)))
    .map((name) => join(around, name));
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It is missing, or not for this user.
  }
}

function isEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return readErrorCode(error) === "ESRCH";
  }
}

/** Others can make folders in the same place, with any name. */
function isMine(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}

export function removeLeftFolders(around: string): void {
  const left = listLeftFolders(around);
  try {
    if (left.length > 0) removeTrees(left.map((path) => Buffer.from(path)));
  } catch {
    // Another process may be removing them, too.
  }
}
