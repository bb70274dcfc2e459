/** A repository with a bare clone that members of a shared queue reach, and the server of that queue. */
import { join } from "node:path";
import { type FleetServer, openFleetServer } from "./fleet-server.ts";
import { type FleetMember, joinAs } from "./fleet-member.ts";
import { type TickRepository, tickRepository } from "./tick-repository.ts";

export interface FleetRepository {
  readonly repository: TickRepository;
  readonly bare: string;
  /** Of the bare clone. */
  readonly url: string;
  readonly server: FleetServer;
}

export async function openFleetRepository(): Promise<FleetRepository> {
  const repository = tickRepository({ branch: "main" });
  const bare = join(repository.box, "app.git");
  repository.git("clone", "--quiet", "--bare", repository.root, bare);
  return { repository, bare, url: `file://${bare}`, server: await openFleetServer() };
}

/** Dan submits, Ben works. */
export async function joinBoth({
  repository,
  url,
  server,
}: FleetRepository): Promise<Record<"dan" | "ben", FleetMember>> {
  const dan = await joinAs("dan", repository, await server.invite("dan", "submitter", url));
  const ben = await joinAs("ben", repository, await server.invite("ben", "worker", url));
  ben.allow("task");
  return { dan, ben };
}
