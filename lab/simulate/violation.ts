/** An invariant of a simulated world does not hold. */
export class Violation extends Error {
  override readonly name = "Violation";
}
