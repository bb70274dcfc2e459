// Leaves a socket in its scope.
// expect: STOP_UNSAFE_PATH
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";

writeFileSync("src/main.ts", "export const answer = 42;\n");
// Killed while it listens, it cannot take the socket away.
createServer().listen("src/socket", () => process.kill(process.pid, "SIGKILL"));
