/**
 * Loaded into relais before its own code: counts every call that changes a file or starts a program, and at one of them
 * kills the process as a power cut would, or lets it wait so that a signal can be sent to it.
 *
 * What is to happen is told by the environment: RELAIS_STRIKE is JSON with `log` (a file that gets one line for each
 * call), `at` (the number of the call, from 1), and `when`: `before` or `after` the call, `torn` in the middle of its
 * data, `pause` to write the file `mark` and wait until it is removed, `fail` to refuse it as a full disk would. `at` may also be a text: the first call whose
 * line contains it, and that writes the text `data` where one is given; `skip` lets so many of them pass. The children of
 * relais are left alone.
 */
"use strict";
const fs = require("node:fs");
const childProcess = require("node:child_process");

const plan = JSON.parse(process.env.RELAIS_STRIKE ?? "null");
delete process.env.NODE_OPTIONS;
delete process.env.RELAIS_STRIKE;
if (plan !== null && !process.argv.includes("__scripted")) install();

function die() {
  process.kill(process.pid, "SIGKILL");
  for (;;); // Until the signal has arrived, nothing more may happen.
}

function install() {
  const original = { ...fs };
  const log = plan.log ? original.openSync(plan.log, "a") : null;
  let count = 0;
  let isOver = false;
  let skipped = 0;

  const pause = () => {
    original.closeSync(original.openSync(plan.mark, "w"));
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (original.existsSync(plan.mark)) Atomics.wait(clock, 0, 0, 10);
  };

  const isHere = (line, data) => {
    const isMeant = typeof plan.at === "string" ? line.includes(plan.at) : plan.at === count;
    if (!isMeant || !data.includes(plan.data ?? "")) return false;
    skipped += 1;
    return skipped > (plan.skip ?? 0);
  };

  /** Notes a call and answers with what is to be done at it, once. */
  const arrive = (name, subjects, data = "") => {
    count += 1;
    const line = `${count} ${name} ${subjects.map(shown).join(" ")}`.replaceAll("\n", " ");
    if (log !== null) original.writeSync(log, `${line}\n`);
    if (isOver || !isHere(line, data)) return null;
    isOver = true;
    if (plan.when === "before") die();
    if (plan.when === "pause") pause();
    if (plan.when === "fail") throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    return plan.when;
  };

  const shown = (subject) => {
    if (typeof subject === "number") {
      try {
        return original.readlinkSync(`/proc/self/fd/${subject}`);
      } catch {
        return String(subject);
      }
    }
    if (Array.isArray(subject)) return subject.map(shown).join(" ");
    return Buffer.isBuffer(subject) ? subject.toString("latin1") : String(subject);
  };

  /** The first half of the data goes to the disk, the rest never does. */
  const tear = (target, data) => {
    const bytes = Buffer.from(data);
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    original.writeSync(typeof target === "number" ? target : original.openSync(target, "w"), half);
    die();
  };

  const opensForWriting = (flags) => {
    if (flags === undefined || flags === null) return false;
    if (typeof flags === "string") return /[wa+]/.test(flags);
    const { O_ACCMODE = 3, O_CREAT, O_TRUNC } = fs.constants;
    return (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) !== 0;
  };

  const PATHS = { rename: 2, link: 2, symlink: 2, copyFile: 2, cp: 2 };
  const DATA = ["writeFile", "appendFile", "write"];
  const CALLS = (
    "open write writev writeFile appendFile truncate ftruncate rename unlink rm rmdir mkdir mkdtemp link symlink " +
    "copyFile cp fsync fdatasync chmod fchmod lchmod chown fchown lchown utimes futimes lutimes"
  ).split(" ");

  const counts = (name, args) => name !== "open" || opensForWriting(args[1]);

  const wrapSync = (holder, key, name) => {
    const call = holder[key];
    if (typeof call !== "function") return;
    holder[key] = function wrapped(...args) {
      if (!counts(name, args)) return call.apply(this, args);
      const data = DATA.includes(name) ? String(args[1]) : "";
      const deed = arrive(key, args.slice(0, PATHS[name] ?? 1), data);
      if (deed === "torn" && DATA.includes(name)) tear(args[0], args[1]);
      try {
        return call.apply(this, args);
      } finally {
        // Also after a call that failed: the removal of a folder begins with one.
        if (deed === "after" || deed === "torn") die();
      }
    };
  };

  const wrapCallback = (key) => {
    const call = fs[key];
    if (typeof call !== "function") return;
    fs[key] = function wrapped(...args) {
      if (!counts(key, args)) return call.apply(this, args);
      const deed = arrive(`${key}()`, args.slice(0, PATHS[key] ?? 1));
      const done = args.at(-1);
      if (deed !== null && deed !== "pause" && typeof done === "function") args[args.length - 1] = die;
      return call.apply(this, args);
    };
  };

  const wrapPromise = (holder, key, subjectsOf) => {
    const call = holder[key];
    if (typeof call !== "function") return;
    holder[key] = async function wrapped(...args) {
      if (!counts(key, args)) return call.apply(this, args);
      const subjects = subjectsOf(this, args);
      const data = subjects[0] === args[0] ? args[1] : args[0];
      const deed = arrive(`promises.${key}`, subjects, DATA.includes(key) ? String(data) : "");
      if (deed === "torn" && DATA.includes(key)) tear(subjects[0], data);
      try {
        return await call.apply(this, args);
      } finally {
        if (deed === "after" || deed === "torn") die();
      }
    };
  };

  for (const name of CALLS) {
    wrapSync(fs, `${name}Sync`, name);
    wrapCallback(name);
    wrapPromise(fs.promises, name, (_, args) => args.slice(0, PATHS[name] ?? 1));
  }

  // The class of file handles has no name that could be required; the first handle shows it.
  const HANDLE_CALLS = ["write", "writev", "writeFile", "appendFile", "truncate", "sync", "datasync"];
  const openHandle = fs.promises.open;
  let isHandlePatched = false;
  fs.promises.open = async function open(...args) {
    const handle = await openHandle.apply(this, args);
    if (!isHandlePatched) {
      isHandlePatched = true;
      const prototype = Object.getPrototypeOf(handle);
      for (const name of [...HANDLE_CALLS, "chmod", "chown", "utimes"]) {
        wrapPromise(prototype, name, (self) => [self.fd]);
      }
    }
    return handle;
  };

  for (const key of ["spawn", "spawnSync", "execFile"]) {
    const call = childProcess[key];
    childProcess[key] = function wrapped(...args) {
      const deed = arrive(key, args.slice(0, 2));
      try {
        return call.apply(this, args);
      } finally {
        if (deed === "after" || deed === "torn") die();
      }
    };
  }
}
