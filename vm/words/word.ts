/** A word with what it means, where it comes from and what to do about it. */
export type Word = { readonly title: string; readonly cause: string; readonly fix: string };

export const word = (title: string, cause: string, fix: string): Word => ({ title, cause, fix });
