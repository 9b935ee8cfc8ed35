/** Why a look at a durable job shows nothing: `too_long` is its journal, or the time that running it again takes. */
export const NOT_LOOKED = ["not_durable", "too_long", "program_refused", "journal_differs"] as const;
/** Why the variables of a durable job cannot be shown. */
export const NOT_SHOWN = [...NOT_LOOKED, "succeeded"] as const;
