import { parseWith } from "../base/schema-error.ts";
import { CampaignSlug } from "../records/campaign.ts";
import { type CommandEnd, type NoOptions, refuseMisuse, type RunCommand, type Session } from "../terminal/command.ts";
import type { Options, OptionSpecs } from "../terminal/option-spec.ts";

interface CampaignCall {
  readonly slug: string;
  /** What stands behind the slug. */
  readonly more: string | null;
  readonly session: Session;
}

/** A sub-command whose first argument is the slug of a campaign. */
export function onCampaign<S extends OptionSpecs = NoOptions>(
  name: string,
  run: (call: CampaignCall, options: Options<S>) => Promise<CommandEnd>,
): RunCommand<S> {
  return ({ positionals: [slug = "", more = null], options }, session) => {
    if (slug === "") return Promise.resolve(refuseMisuse(`\`relais campaign ${name}\` needs the slug of a campaign`));
    if (parseWith(CampaignSlug, slug).kind === "invalid")
      return Promise.resolve(
        refuseMisuse(`"${slug}" is not a slug: use 1 to 30 lowercase letters, digits and -, like auth-refactor`),
      );
    return run({ slug, more, session }, options);
  };
}
