/** What a job brings to the server: every byte of its store is searched. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { joinAs } from "../support/fleet-member.ts";
import { hasServer, openFleetServer } from "../support/fleet-server.ts";
import { tickRepository } from "../support/tick-repository.ts";

const SECRETS = { DEPLOY_TOKEN: "s3cr3t-of-the-environment", ANTHROPIC_API_KEY: "sk-ant-secret-of-the-worker" };
const IN_FILE = "s3cr3t-in-an-ignored-file";

function readStore(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Buffer.concat(
    entries.filter((one) => one.isFile()).map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
  );
}

test.skipIf(!hasServer)(
  "no secret of the environment, of an ignored file or of the keys is on the server",
  async () => {
    const repository = tickRepository({ branch: "main", files: { ".gitignore": "/.env\n" } });
    const { box, root, git, task } = repository;
    writeFileSync(join(root, ".env"), `TOKEN=${IN_FILE}\n`);
    const bare = join(box, "app.git");
    git("clone", "--quiet", "--bare", root, bare);
    const url = `file://${bare}`;
    const server = await openFleetServer();
    const team = { ...repository, env: SECRETS };
    const invitations = [
      await server.invite("dan", "submitter", url),
      await server.invite("ben", "worker", url),
    ] as const;
    const dan = await joinAs("dan", team, invitations[0]);
    const ben = await joinAs("ben", team, invitations[1]);
    ben.allow("task");
    const steps = [{ do: "write", path: "src/x.ts", text: "a-text-that-is-there\n" }];
    writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));

    const refused = await dan.type("submit", "run", "x");
    expect(refused).toMatchObject({
      status: 10,
      stderr: expect.stringMatching(/takes a repository by its URL.*--repo URL/),
    });

    expect(await dan.type("submit", "task", join(box, "task.json"), "--repo", url)).toMatchObject({ status: 0 });
    expect(await ben.type("worker", "--once", "--unsandboxed")).toMatchObject({ status: 0 });
    await server.stop();
    const bytes = readStore(join(server.folder, "streams"));
    expect(bytes.includes("a-text-that-is-there")).toBe(true); // The search finds what is there.
    const seeds = invitations.flatMap(({ team: seed, repositories }) => [seed, ...repositories.map((one) => one.seed)]);
    expect([...Object.values(SECRETS), IN_FILE, ...seeds].filter((secret) => bytes.includes(secret))).toEqual([]);
  },
);
