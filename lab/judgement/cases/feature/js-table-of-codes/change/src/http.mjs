const ANSWERS = [
  [RangeError, { status: 404, text: "not found" }],
  [SyntaxError, { status: 400, text: "bad request" }],
];
const OTHER = { status: 500, text: "internal error" };

export function statusFor(error) {
  return ANSWERS.find(([kind]) => error instanceof kind)?.[1] ?? OTHER;
}
