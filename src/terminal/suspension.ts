interface Suspension {
  readonly before: () => void;
  readonly after: () => void;
}

/** How long it takes at most until a signal that this process sends itself has stopped it. */
const STOPPED_MS = 50;

/** Lets others put the terminal in order before the process is suspended as it would have been anyway. */
export function watchSuspension(): (suspension: Suspension) => () => void {
  const known = new Set<Suspension>();
  let goingOn: NodeJS.Timeout | undefined;
  const after = (): void => {
    for (const suspension of known) suspension.after();
  };
  const suspend = (): void => {
    for (const suspension of known) suspension.before();
    process.removeListener("SIGTSTP", suspend);
    process.kill(process.pid, "SIGTSTP");
    // Where nobody could wake it up the system does not stop it at all, so its going on is not reported by a signal.
    goingOn = setTimeout(() => {
      if (known.size > 0) process.on("SIGTSTP", suspend);
      after();
    }, STOPPED_MS);
  };
  return (suspension) => {
    if (known.size === 0) {
      process.on("SIGTSTP", suspend);
      process.on("SIGCONT", after);
    }
    known.add(suspension);
    return () => {
      known.delete(suspension);
      if (known.size > 0) return;
      clearTimeout(goingOn);
      process.removeListener("SIGTSTP", suspend);
      process.removeListener("SIGCONT", after);
    };
  };
}
