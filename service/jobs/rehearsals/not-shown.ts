/** Why the variables of a durable job cannot be shown: `too_long` is its journal, or the time that running it again takes. */
export const NOT_SHOWN = ["not_durable", "succeeded", "too_long", "program_refused", "journal_differs"] as const;
