/** One line of `relais doctor`. */
export interface DoctorCheck {
  readonly subject: string;
  /** `warn` stops nothing; with `fail`, some part of relais will not work. */
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  readonly problems: readonly string[];
  readonly fix: string | null;
}

export function ok(subject: string, message: string): DoctorCheck {
  return { subject, status: "ok", message, problems: [], fix: null };
}

type CheckProblem = Pick<DoctorCheck, "message"> & { readonly fix: string; readonly problems?: readonly string[] };

const report =
  (status: "warn" | "fail") =>
  (subject: string, { message, fix, problems = [] }: CheckProblem): DoctorCheck => ({
    subject,
    status,
    message,
    problems,
    fix,
  });

export const warn = report("warn");
export const fail = report("fail");
