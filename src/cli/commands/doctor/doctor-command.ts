import { CODES } from "../../../contract/values/codes.ts";
import { examine } from "../../../run/doctor/doctor.ts";
import { renderDoctor } from "../../../view/setup/doctor-text.ts";
import type { RunCommand } from "../../framework/command.ts";
import { printAnswer } from "../../answers/print-answer.ts";
import { readVersion } from "../../framework/version.ts";

export const runDoctor: RunCommand = async (_, session) => {
  const checks = await examine({ ...session, nodeVersion: process.versions.node });
  const ok = checks.every(({ status }) => status !== "fail");
  return printAnswer(
    {
      document: { ok, relais: readVersion(), platform: process.platform, checks },
      text: () => renderDoctor(checks, { ...session, isQuiet: session.detail === "quiet" }),
      status: ok ? 0 : CODES.BLOCKED_MISSING_CONFIG.exit,
      isAsked: true,
    },
    session,
  );
};
