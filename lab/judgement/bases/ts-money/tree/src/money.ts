export interface Money {
  readonly cents: number;
  readonly currency: string;
}

export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new RangeError(`${a.currency} and ${b.currency} do not add up`);
  return { cents: a.cents + b.cents, currency: a.currency };
}
