/** Errors of the simulated system, as Node words them. */
import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";

export type Code =
  | "EACCES"
  | "EBADF"
  | "EEXIST"
  | "EINVAL"
  | "EIO"
  | "EISDIR"
  | "ELOOP"
  | "ENOENT"
  | "ENOSPC"
  | "ENOTDIR"
  | "ENOTEMPTY"
  | "EPERM"
  | "EROFS"
  | "ESRCH";

const WORDS = getSystemErrorMap();

export class SystemError extends Error {
  readonly code: Code;
  readonly errno: number;
  readonly syscall: string;
  readonly path?: string;

  constructor(code: Code, syscall: string, path?: string) {
    const errno = -constants.errno[code];
    super(`${code}: ${WORDS.get(errno)?.[1] ?? ""}, ${syscall}${path === undefined ? "" : ` '${path}'`}`);
    this.code = code;
    this.errno = errno;
    this.syscall = syscall;
    if (path !== undefined) this.path = path;
  }
}

/** What every call of a process ends with once it was killed. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** relais asks a person for a decision, and the simulated person has none. */
export class PersonNeeded extends Error {
  override readonly name = "PersonNeeded";
}
