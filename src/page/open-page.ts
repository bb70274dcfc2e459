import { openBrowser } from "../process/open-browser.ts";

/** Opens the page in the person's browser, where there is one; the printed link is there in any case. */
export async function openPage(request: Parameters<typeof openBrowser>[0]): Promise<boolean> {
  return openBrowser(request).catch(() => false);
}
