import * as v from "valibot";
import { DriverName, Role, Usage } from "./agent.ts";
import { Timestamp } from "../base/identifier.ts";

/** When a service that refused a session answers again, if it said so. */
export const RetryTime = v.exactOptional(Timestamp);

/** A service refused a session; the next agent of the role takes over. */
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
