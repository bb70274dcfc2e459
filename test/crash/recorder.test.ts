/** The recorder copies only what changed since its last copy; each copy must be whole all the same, and stay as it was. */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compileRecorder, type DiskState, recordStates } from "./recorder.ts";
import { siteIn } from "./site.ts";
import { digestExactly } from "./world-digest.ts";

const compiled = compileRecorder();

const PROGRAM = [
  "printf first > file",
  "sleep 0.1", // The file is older than a tick of the clock: the next copy shares it.
  "mkdir folder",
  "printf FIRST 1<> file", // The same size.
  "ln file second",
  "mkfifo pipe",
  "ln -s file link",
  "chmod 700 folder",
  "mv file folder/moved",
  "rm second",
].join("; ");

test.skipIf("missing" in compiled)("each copy is what was on the disk after its call", async () => {
  const folder = mkdtempSync(join(tmpdir(), "relais-recorded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const site = siteIn(join(folder, "box"), { executable: "", kind: "accepted", isolation: "in_place" });
  const copies = join(folder, "copies");
  for (const path of [site.root, copies]) mkdirSync(path, { recursive: true });
  const recorder = "path" in compiled ? compiled.path : "";
  const states = await recordStates(
    { recorder, site, argv: ["sh", "-c", PROGRAM], folder: copies },
    (said) => said === "",
  );
  const contents = states.map((state) => readIn(state, "file"));
  expect(contents.filter((text, index) => text !== contents[index - 1])).toEqual([
    "",
    "fi",
    "first",
    "FIrst",
    "FIRST",
    null,
  ]);
  const linked = states.filter(({ call }) => call.startsWith("link"));
  expect(linked.map((state) => inode(state, "second"))).toEqual(linked.map((state) => inode(state, "file")));
  const known = new Map<number, string>();
  expect(states.slice(-1).map((state) => digestExactly(state.folder, known))).toEqual([digestExactly(site.box, known)]);
});

const pathIn = ({ folder }: DiskState, name: string): string => join(folder, "place/repo", name);
const inode = (state: DiskState, name: string): number => lstatSync(pathIn(state, name)).ino;

function readIn(state: DiskState, name: string): string | null {
  const path = pathIn(state, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
