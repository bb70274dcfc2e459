/** What a running series reports besides its ticks. */
export interface SeriesBeginning {
  readonly seriesId: string;
  readonly resumed: boolean;
  /** The tick that was recovered first. */
  readonly recoveredRunId: string | null;
}

export interface SeriesPause {
  readonly leftMs: number;
  readonly until: string;
  /** Whether it waits for a service. */
  readonly isLimit: boolean;
}
