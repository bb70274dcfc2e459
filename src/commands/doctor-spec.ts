import { defineCommand } from "../terminal/command.ts";
import { SUMMARIES } from "../terminal/summaries.ts";

export const doctorSpec = defineCommand({
  name: "doctor",
  summary: SUMMARIES.doctor,
  description: [
    "Checks git, node, the repository, the configuration, the workspace, the state of earlier ticks and the",
    "agents' programs. Each line says ok, warn or fail; a problem comes with its fix.",
    "Exit status 0: nothing fails; 11: something fails.",
  ],
  examples: [
    { line: "relais doctor", explains: "all checks" },
    { line: "relais doctor -q", explains: "only problems" },
    { line: "relais doctor --json", explains: "for a script" },
  ],
  load: async () => (await import("./doctor-command.ts")).runDoctor,
});
