// Leaves a socket in its scope.
// expect: STOP_UNSAFE_PATH
// ship: yes
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

writeFileSync("src/main.ts", "export const answer = 42;\n");
// Killed while it listens, it cannot take the socket away.
const listen = `require("net").createServer().listen("src/socket", () => process.kill(process.pid, "SIGKILL"))`;
spawnSync(process.execPath, ["-e", listen]);
