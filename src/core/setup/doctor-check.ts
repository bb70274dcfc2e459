/** One line of `relais doctor`. */
export interface DoctorCheck {
  readonly subject: string;
  /** `warn` is worth knowing and stops nothing; with `fail`, something that relais does will not work. */
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  /** Single things that are wrong, where there are several. */
  readonly problems: readonly string[];
  /** What to do about it; null where nothing is to be done. */
  readonly fix: string | null;
}

/** What is in order. */
export function ok(subject: string, message: string): DoctorCheck {
  return { subject, status: "ok", message, problems: [], fix: null };
}

type Trouble = Pick<DoctorCheck, "message"> & { readonly fix: string; readonly problems?: readonly string[] };

/** What a person should know of. */
export function warn(subject: string, { message, fix, problems = [] }: Trouble): DoctorCheck {
  return { subject, status: "warn", message, problems, fix };
}

/** What has to be mended. */
export function fail(subject: string, { message, fix, problems = [] }: Trouble): DoctorCheck {
  return { subject, status: "fail", message, problems, fix };
}
