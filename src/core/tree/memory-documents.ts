/** The documents beside the tree through which one session leaves word for the next. Only people write GOAL.md. */
export const MEMORY_DOCUMENTS = ["HUMAN_QUESTIONS.md", "ASSUMPTIONS.md", "FEEDBACK_LOG.md", "IMPROVEMENTS.md"] as const;

export type MemoryDocument = (typeof MEMORY_DOCUMENTS)[number];

/** How many bytes one of them may have. */
export const DOCUMENT_BYTES_MAX = 256 * 1024;
