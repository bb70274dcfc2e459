/** The simulated file system answers as the real one, for any sequence of calls. */
import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unreachable } from "../../src/base/errors.ts";
import { PROPERTY_TIMEOUT_MS, runs } from "../../test/support/runs.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";
import { Machine } from "./machine.ts";
import { NodeFiles } from "./node-files.ts";
import { makeSystem } from "./repository.ts";

/** The members of `node:fs` that are compared. */
type FileModule = Pick<
  typeof fs,
  | "accessSync"
  | "appendFileSync"
  | "chmodSync"
  | "closeSync"
  | "copyFileSync"
  | "existsSync"
  | "fstatSync"
  | "ftruncateSync"
  | "linkSync"
  | "lstatSync"
  | "mkdirSync"
  | "openSync"
  | "readFileSync"
  | "readSync"
  | "readdirSync"
  | "readlinkSync"
  | "realpathSync"
  | "renameSync"
  | "rmSync"
  | "rmdirSync"
  | "statSync"
  | "symlinkSync"
  | "truncateSync"
  | "unlinkSync"
  | "utimesSync"
  | "writeFileSync"
  | "writeSync"
>;

/** As relais forms them: without a slash at the end. */
const PATHS = ["a", "b", "d", "d/a", "d/e", "d/e/a", "l", "l/a", "none/x"];
const TARGETS = ["a", "d", "../a", "none", "l", "d/e"];
const FLAGS = ["r", "r+", "w", "wx", "a", "ax", "w+", "a+"];
/** Always with the rights of the owner: root is stopped by nothing. */
const MODES = [0o700, 0o711, 0o755, 0o777];

const path = fc.constantFrom(...PATHS);
const text = fc.string({ maxLength: 12 });
const slot = fc.nat(2);
const size = fc.nat(20);

const operation = fc.oneof(
  fc.record({ call: fc.constant("open" as const), path, flags: fc.constantFrom(...FLAGS), slot }),
  fc.record({ call: fc.constant("close" as const), slot }),
  fc.record({ call: fc.constant("read" as const), slot, size, position: fc.option(size) }),
  fc.record({ call: fc.constant("write" as const), slot, text, position: fc.option(size) }),
  fc.record({ call: fc.constant("cut" as const), slot, size }),
  fc.record({ call: fc.constantFrom("writeFile" as const, "append" as const), path, text }),
  fc.record({ call: fc.constant("mkdir" as const), path, recursive: fc.boolean(), mode: fc.constantFrom(...MODES) }),
  fc.record({ call: fc.constant("rm" as const), path, recursive: fc.boolean(), force: fc.boolean() }),
  fc.record({ call: fc.constantFrom("rename" as const, "link" as const, "copy" as const), path, to: path }),
  fc.record({ call: fc.constant("symlink" as const), path, target: fc.constantFrom(...TARGETS) }),
  fc.record({ call: fc.constant("chmod" as const), path, mode: fc.constantFrom(...MODES) }),
  fc.record({ call: fc.constant("truncate" as const), path, size }),
  fc.record({ call: fc.constant("utimes" as const), path, seconds: fc.nat(2_000_000_000) }),
  fc.record({
    call: fc.constantFrom(
      ...([
        "lstat",
        "stat",
        "list",
        "readFile",
        "readlink",
        "realpath",
        "exists",
        "unlink",
        "rmdir",
        "missing",
      ] as const),
    ),
    path,
  }),
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

class Tried {
  readonly #fs: FileModule;
  readonly #root: string;
  readonly #open: (number | undefined)[] = [];

  constructor(module: FileModule, root: string) {
    this.#fs = module;
    this.#root = root;
  }

  /** What the call answers, or the code of its error. */
  perform(one: Operation): unknown {
    try {
      return this.#call(one) ?? "done";
    } catch (error) {
      return error instanceof Error && "code" in error ? error.code : String(error);
    }
  }

  /** Everything that is there, in the end. */
  describe(folder = this.#root): unknown {
    const names = this.#fs.readdirSync(folder).map(String).toSorted();
    return names.map((name) => {
      const at = `${folder}/${name}`;
      const stats = this.#fs.lstatSync(at);
      if (stats.isDirectory()) return [name, stats.mode, this.describe(at)];
      if (stats.isSymbolicLink()) return [name, this.#fs.readlinkSync(at)];
      return [name, stats.mode, stats.nlink, this.#fs.readFileSync(at, "latin1")];
    });
  }

  close(): void {
    for (const descriptor of this.#open) if (descriptor !== undefined) this.#fs.closeSync(descriptor);
  }

  #at(relative: string): string {
    return `${this.#root}/${relative}`;
  }

  #get(index: number): number {
    const found = this.#open[index];
    if (found === undefined) throw Object.assign(new Error("nothing is open"), { code: "NONE" });
    return found;
  }

  // One case for each call.
  #call(one: Operation): unknown {
    const files = this.#fs;
    switch (one.call) {
      case "open": {
        const before = this.#open[one.slot];
        if (before !== undefined) files.closeSync(before);
        this.#open[one.slot] = undefined;
        this.#open[one.slot] = files.openSync(this.#at(one.path), one.flags);
        return describeStats(files.fstatSync(this.#get(one.slot)));
      }
      case "close": {
        files.closeSync(this.#get(one.slot));
        return void (this.#open[one.slot] = undefined);
      }
      case "read": {
        const into = Buffer.alloc(one.size);
        const count = files.readSync(this.#get(one.slot), into, 0, one.size, one.position);
        return into.toString("latin1", 0, count);
      }
      case "write":
        return files.writeSync(this.#get(one.slot), Buffer.from(one.text), 0, undefined, one.position);
      case "cut":
        return files.ftruncateSync(this.#get(one.slot), one.size);
      case "writeFile":
        return files.writeFileSync(this.#at(one.path), one.text);
      case "append":
        return files.appendFileSync(this.#at(one.path), one.text);
      case "mkdir": {
        const made = files.mkdirSync(this.#at(one.path), { recursive: one.recursive, mode: one.mode });
        return made?.slice(this.#root.length);
      }
      case "rm":
        return files.rmSync(this.#at(one.path), { recursive: one.recursive, force: one.force });
      case "rename":
        return files.renameSync(this.#at(one.path), this.#at(one.to));
      case "link":
        return files.linkSync(this.#at(one.path), this.#at(one.to));
      case "copy":
        return files.copyFileSync(this.#at(one.path), this.#at(one.to));
      case "symlink":
        return files.symlinkSync(one.target, this.#at(one.path));
      case "chmod":
        return files.chmodSync(this.#at(one.path), one.mode);
      case "truncate":
        return files.truncateSync(this.#at(one.path), one.size);
      case "utimes":
        files.utimesSync(this.#at(one.path), one.seconds, one.seconds);
        return files.statSync(this.#at(one.path)).mtimeMs;
      case "lstat":
        return describeStats(files.lstatSync(this.#at(one.path)));
      case "stat":
        return describeStats(files.statSync(this.#at(one.path)));
      case "missing":
        return files.lstatSync(this.#at(one.path), { throwIfNoEntry: false })?.isFile();
      case "list":
        return files.readdirSync(this.#at(one.path)).map(String).toSorted();
      case "readFile":
        return files.readFileSync(this.#at(one.path), "latin1");
      case "readlink":
        return files.readlinkSync(this.#at(one.path));
      case "realpath":
        return files.realpathSync(this.#at(one.path)).slice(this.#root.length);
      case "exists":
        return files.existsSync(this.#at(one.path));
      case "unlink":
        return files.unlinkSync(this.#at(one.path));
      case "rmdir":
        return files.rmdirSync(this.#at(one.path));
      default:
        return unreachable(one);
    }
  }
}

function describeStats(stats: Pick<fs.Stats, "isFile" | "isDirectory" | "mode" | "nlink" | "size">): unknown {
  if (!stats.isFile()) return [stats.isDirectory(), stats.mode];
  return [stats.mode, stats.nlink, stats.size];
}

/** A folder of a new simulated disk. */
function openSimulated(): Tried {
  const machine = new Machine(1);
  makeSystem(machine);
  const process = machine.start({ argv: ["tried"], env: {}, cwd: "/", parent: null });
  const files = new NodeFiles(
    () => process.files,
    () => "tried",
  );
  files.mkdirSync("/tmp/tried");
  // The real types have overloads that nobody calls here.
  return new Tried(Object(files), "/tmp/tried");
}

test(
  "any sequence of calls has the same answers and leaves the same files",
  () => {
    const scratch = scratchFolder();
    const umask = process.umask(0o022);
    let number = 0;
    try {
      fc.assert(
        fc.property(fc.array(operation, { minLength: 1, maxLength: 60 }), (operations) => {
          number += 1;
          const root = join(fs.realpathSync(scratch), String(number));
          fs.mkdirSync(root);
          const real = new Tried(fs, root);
          const simulated = openSimulated();
          for (const one of operations) {
            const expected = real.perform(one);
            expect([one, simulated.perform(one)]).toEqual([one, expected]);
          }
          expect(simulated.describe()).toEqual(real.describe());
          real.close();
          fs.rmSync(root, { recursive: true });
        }),
        runs(5000, 400),
      );
    } finally {
      process.umask(umask);
    }
  },
  PROPERTY_TIMEOUT_MS,
);
