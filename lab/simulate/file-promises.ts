/** The module `node:fs/promises` of a simulated process. */
import type { NodeFiles } from "./node-files.ts";

export type Later = <T>(work: () => T) => Promise<T>;

/** Each call happens some time later, in one step. */
export function simulateHandles(files: NodeFiles, later: Later): Readonly<Record<string, unknown>> {
  const promised =
    <Args extends readonly unknown[], T>(call: (...args: Args) => T) =>
    (...args: Args): Promise<T> =>
      later(() => call(...args));
  return {
    access: promised(files.accessSync),
    appendFile: promised(files.appendFileSync),
    chmod: promised(files.chmodSync),
    copyFile: promised(files.copyFileSync),
    lstat: promised(files.lstatSync),
    mkdir: promised(files.mkdirSync),
    mkdtemp: promised(files.mkdtempSync),
    readFile: promised(files.readFileSync),
    readdir: promised(files.readdirSync),
    readlink: promised(files.readlinkSync),
    realpath: promised(files.realpathSync),
    rename: promised(files.renameSync),
    rm: promised(files.rmSync),
    rmdir: promised(files.rmdirSync),
    stat: promised(files.statSync),
    symlink: promised(files.symlinkSync),
    truncate: promised(files.truncateSync),
    unlink: promised(files.unlinkSync),
    utimes: promised(files.utimesSync),
    writeFile: promised(files.writeFileSync),
    open: async (...args: Parameters<NodeFiles["openSync"]>) => {
      const fd = await later(() => files.openSync(...args));
      return {
        fd,
        close: () => later(() => files.closeSync(fd)),
        stat: (...[options]: [Parameters<NodeFiles["fstatSync"]>[1]?]) => later(() => files.fstatSync(fd, options)),
        sync: () => later(() => files.fsyncSync(fd)),
        datasync: () => later(() => files.fdatasyncSync(fd)),
        truncate: (size?: number) => later(() => files.ftruncateSync(fd, size)),
        chmod: (mode: number) => later(() => files.fchmodSync(fd, mode)),
        readFile: (...[option]: [Parameters<NodeFiles["readFileSync"]>[1]?]) =>
          later(() => files.readFileSync(fd, option)),
        writeFile: (data: string | Uint8Array) => later(() => files.writeFileSync(fd, data)),
        appendFile: (data: string | Uint8Array) => later(() => files.writeFileSync(fd, data)),
        read: (buffer: Uint8Array, ...rest: [number?, number?, (number | null)?]) =>
          later(() => ({ bytesRead: files.readSync(fd, buffer, ...rest), buffer })),
        write: (data: string | Uint8Array, ...rest: [number?, number?, (number | null)?]) =>
          later(() => ({ bytesWritten: files.writeSync(fd, data, ...rest), buffer: data })),
      };
    },
  };
}
