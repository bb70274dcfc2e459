import type { Config } from "../config/config.ts";
import type { GrowthCaps } from "../base/manifest.ts";
import { NO_CAPS } from "../system/growth.ts";

const MIB = 1024 * 1024;

/** How much a tick may add to the repository; without a configuration there is no limit. */
export function readGrowthCaps({ config }: { readonly config?: Pick<Config, "runner"> }): GrowthCaps {
  return config === undefined ? NO_CAPS : { files: config.runner.max_new_files, bytes: config.runner.max_new_mb * MIB };
}
