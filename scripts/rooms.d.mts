export const LEVELS: readonly (readonly string[])[];
export const isPure: (room: string) => boolean;
export const DOORS: readonly string[];
export const describeRooms: () => string;
