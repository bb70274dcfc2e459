/** Where a campaign lies, and the command that runs it. */

export function locateCampaignFolder(workspaceDir: string, slug: string): string {
  return `${workspaceDir}/campaigns/${slug}`;
}

/** Each campaign has its own command, so that none is resumed in place of another. */
export function writeCampaignCommand(slug: string): string {
  return `campaign ${slug}`;
}
