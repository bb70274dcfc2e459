import { CODES } from "../../../contract/values/codes.ts";
import { examine } from "../../../run/doctor/doctor.ts";
import { renderDoctor } from "../../../view/setup/doctor-text.ts";
import type { RunCommand } from "../../framework/command.ts";
import { getCanvas } from "../../framework/session-canvas.ts";
import { readVersion } from "../../framework/version.ts";

/** `relais doctor`. */
export const runDoctor: RunCommand = async (_, session) => {
  const { cwd, environment, json, detail, out } = session;
  const checks = await examine({ cwd, environment, nodeVersion: process.versions.node });
  const hasFailed = checks.some(({ status }) => status === "fail");
  if (json) out(`${JSON.stringify({ ok: !hasFailed, relais: readVersion(), platform: process.platform, checks })}\n`);
  else out(renderDoctor(checks, { ...getCanvas(session), isQuiet: detail === "quiet" }));
  return { kind: "ended", status: hasFailed ? CODES.BLOCKED_MISSING_CONFIG.exit : 0 };
};
