import * as v from "valibot";
import { DriverName, Role, Usage } from "../agents/agent.ts";
import { Timestamp } from "../values/identifier.ts";

/** When a service that refused a session will answer again, where it said so. */
export const RetryTime = v.exactOptional(Timestamp);

/** A service refused a session, and the next agent of the same role is asked in its place. */
export const HandedOver = v.strictObject({
  type: v.literal("handed_over"),
  role: Role,
  from: DriverName,
  to: DriverName,
  cause: v.pipe(v.string(), v.minLength(1), v.maxLength(400)),
  message: v.pipe(v.string(), v.maxLength(4000)),
  usage: v.nullable(Usage),
  until: RetryTime,
});
