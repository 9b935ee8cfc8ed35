/** Longer programs are written without colours and without completion while typing: both read all of the text with each key. */
export const MAX_READ_WHILE_TYPING = 200_000;
