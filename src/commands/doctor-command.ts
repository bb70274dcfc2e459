import { CODES } from "../base/codes.ts";
import { examine } from "../setup/doctor.ts";
import { renderDoctor } from "../cards/init-text.ts";
import type { RunCommand } from "../terminal/command.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { readVersion } from "../terminal/global-options.ts";

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
