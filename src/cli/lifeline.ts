/**
 * The lifeline of a relais that another relais started: a pipe, by the number of its descriptor.
 *
 * The first byte allows the work to begin. The end of the pipe means that the other process is gone.
 */
/** As if SIGTERM had ended it; nothing was done yet. */
const NOT_BEGUN = 143;

export function holdLifeline(descriptor: number, onEnd: () => void): Promise<void> {
  const { Socket } = process.getBuiltinModule("node:net");
  return new Promise((begin) => {
    const pipe = new Socket({ fd: descriptor, readable: true, writable: false });
    let isBegun = false;
    pipe.once("data", () => {
      isBegun = true;
      // From now on the work decides when this process ends.
      pipe.unref();
      begin();
    });
    for (const event of ["end", "error"]) pipe.once(event, () => (isBegun ? onEnd() : process.exit(NOT_BEGUN)));
  });
}
