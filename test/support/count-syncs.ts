import { createRequire, syncBuiltinESMExports } from "node:module";
import { open } from "node:fs/promises";
import { readlinkSync } from "node:fs";
import { basename } from "node:path";

const fs: { fsyncSync: (descriptor: number) => void; fdatasyncSync: (descriptor: number) => void } = createRequire(
  import.meta.url,
)("node:fs");

/** The names of the files and folders that this process syncs while it does some work, in their order. */
export async function listSynced(work: () => unknown): Promise<readonly string[]> {
  const synced: string[] = [];
  const note = (descriptor: number): void =>
    void synced.push(
      basename(readlinkSync(`/proc/self/fd/${descriptor}`))
        .replace(/^(?:\.relais-.*|.*\.tmp)$/, "temporary")
        .replace(/^tmp_obj_.*$/, "object"),
    );
  const restore = [patchFunctions(note), await patchHandles(note)];
  try {
    await work();
    return synced;
  } finally {
    for (const undo of restore) undo();
  }
}

function patchFunctions(note: (descriptor: number) => void): () => void {
  const { fsyncSync, fdatasyncSync } = fs;
  const patch = (original: (descriptor: number) => void) => (descriptor: number) => {
    note(descriptor);
    original(descriptor);
  };
  Object.assign(fs, { fsyncSync: patch(fsyncSync), fdatasyncSync: patch(fdatasyncSync) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { fsyncSync, fdatasyncSync });
    syncBuiltinESMExports();
  };
}

async function patchHandles(note: (descriptor: number) => void): Promise<() => void> {
  const handle = await open("/dev/null");
  await handle.close();
  const prototype: { sync: () => Promise<void>; datasync: () => Promise<void>; readonly fd: number } =
    Object.getPrototypeOf(handle);
  const { sync, datasync } = prototype;
  const patch = (original: () => Promise<void>) =>
    function synced(this: { readonly fd: number }): Promise<void> {
      note(this.fd);
      return original.call(this);
    };
  Object.assign(prototype, { sync: patch(sync), datasync: patch(datasync) });
  return () => void Object.assign(prototype, { sync, datasync });
}
