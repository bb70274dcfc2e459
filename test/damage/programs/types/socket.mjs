// A socket that is left behind.
// expect: STOP_UNSAFE_PATH
import { spawn } from "node:child_process";

// The listener is killed, so that its socket stays behind.
const listener = spawn(
  process.execPath,
  ["-e", 'require("net").createServer().listen("src/socket", () => process.kill(process.pid, "SIGKILL"))'],
  { stdio: "inherit" },
);
listener.on("exit", () => process.exit(0));
