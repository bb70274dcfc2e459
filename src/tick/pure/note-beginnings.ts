/** How some notes of a report begin. */
export const NOT_PUT_BACK = "not put back: ";
export const BUILDER_SAYS = "the builder says: ";
