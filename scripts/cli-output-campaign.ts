/** What `relais campaign` prints with `--json`. */
import * as v from "valibot";
import { CampaignContract, CampaignSlug } from "../src/records/campaign.ts";
import { CampaignSummary } from "../src/records/campaign-files.ts";
import { Count } from "../src/base/quantity.ts";
import { Report } from "../src/records/report.ts";

const open = v.looseObject;
const Text = v.string();
const Texts = v.array(Text);

export const CAMPAIGN_OUTPUTS: readonly v.GenericSchema[] = [
  Report,
  CampaignSummary,
  open({ campaigns: v.array(CampaignSummary), unfinished: v.array(CampaignSlug) }),
  open({ slug: CampaignSlug, files: v.array(open({ path: Text, state: Text })), problems: Texts }),
  open({ slug: CampaignSlug, iteration: v.nullable(Count), files: v.record(v.string(), Text) }),
  open({ slug: CampaignSlug, stopped: Count }),
  open({ slug: CampaignSlug, removed: Texts, killed: Texts }),
  open({ approved: v.literal(false), contract: CampaignContract }),
  open({
    slug: CampaignSlug,
    session_name: Text,
    panes: v.record(v.string(), Text),
    pid: Count,
    attach: Text,
  }),
];
