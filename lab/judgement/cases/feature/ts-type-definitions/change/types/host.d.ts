/** What the host of this library provides. */
declare const hostCurrency: string | undefined;
