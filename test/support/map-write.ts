/** Writes into a file through a shared mapping of it, after reading it there: no system call writes. */
import { execFileSync, spawnSync } from "node:child_process";

export const canMap = spawnSync("python3", ["-c", "import mmap"], { stdio: "ignore" }).status === 0;

const PROGRAM = `
import mmap, sys
with open(sys.argv[1], "r+b") as file:
    view = mmap.mmap(file.fileno(), 0)
    seen = view[0:]
    view[0:len(sys.argv[2])] = sys.argv[2].encode()
    view.close()
`;

export const mapWriteArgv = (path: string, text: string): readonly string[] => ["python3", "-c", PROGRAM, path, text];

export function mapWrite(path: string, text: string): void {
  const [program = "", ...args] = mapWriteArgv(path, text);
  execFileSync(program, args);
}
