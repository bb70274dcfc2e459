/** Lets every builder of test/hostile loose, as every user that there is, and sums up what became of them. */
import { type Builder, CLASSES, discoverBuilders } from "../test/hostile/builder.ts";
import type { HostileReport } from "../test/hostile/driver.ts";
import { letLoose, type User, USERS } from "../test/hostile/let-loose.ts";

interface Outing {
  readonly user: User;
  readonly reports: ReadonlyMap<string, HostileReport>;
}

interface Campaign {
  readonly summary: string;
  readonly failures: number;
}

/** Runs all of them; whoever is not held is told on standard error. */
export async function hostileCampaign(executable: string): Promise<Campaign> {
  const builders = discoverBuilders("test/hostile/builders");
  const outings = await Promise.all(
    USERS.map(async (user): Promise<Outing> => {
      const onReport = (report: HostileReport): void => tell(user, report);
      return { user, reports: await letLoose({ executable, builders, user, onReport }) };
    }),
  );
  const reports = outings.flatMap((outing) => [...outing.reports.values()]);
  const missing = builders.length * outings.length - reports.length;
  const failures = missing + reports.filter(({ complaints }) => complaints.length > 0).length;
  return { summary: summaryOf(builders, outings), failures };
}

function tell(user: User, { id, complaints }: HostileReport): void {
  if (complaints.length === 0) return;
  console.error(`as ${user.name}, ${id}:`);
  for (const complaint of complaints) console.error(`  ${complaint.slice(0, 2000)}`);
}

function summaryOf(builders: readonly Builder[], outings: readonly Outing[]): string {
  const heads = outings.map(({ user }) => `as ${user.name}`);
  const rows = CLASSES.map((name) => [
    name,
    ...cells(
      builders.filter((builder) => builder.class === name),
      outings,
    ),
  ]);
  const all = ["all", ...cells(builders, outings)];
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${process.platform}.`,
    "",
    `| ${["class", "builders", "of these only told", ...heads].join(" | ")} |`,
    `| ${["---", "---", "---", ...heads.map(() => "---")].join(" | ")} |`,
    ...[...rows, all].map((row) => `| ${row.join(" | ")} |`),
  ].join("\n");
}

function cells(builders: readonly Builder[], outings: readonly Outing[]): readonly string[] {
  const told = builders.filter(({ needs }) => needs === "sandbox").length;
  return [String(builders.length), String(told), ...outings.map(({ reports }) => heldOf(builders, reports))];
}

function heldOf(builders: readonly Builder[], reports: Outing["reports"]): string {
  const tried = builders.filter(({ id }) => (reports.get(id)?.skipped ?? null) === null);
  const held = tried.filter(({ id }) => reports.get(id)?.complaints.length === 0);
  return `${held.length} of ${tried.length}`;
}
