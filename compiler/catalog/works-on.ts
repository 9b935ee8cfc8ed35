/**
 * Built-in adapters that work on others: a program that calls the one needs the others made ready, and need not call them itself. A
 * transaction is one of a database; an attachment lies in the folder of `fs`.
 */
export const WORKS_ON: Readonly<Record<string, readonly string[]>> = {
  txn: ["sqlite", "db"],
  email: ["fs"],
  social: ["fs"],
};
