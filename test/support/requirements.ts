/**
 * The statements of the contract, each with its id, and the mark a test puts on itself to say which of them it proves. The
 * coverage test reads the marks from the sources, so ids must be written as text literals.
 */
import { readFileSync } from "node:fs";

export type Requirement = {
  readonly id: string;
  readonly area: string;
  readonly text: string;
  readonly source: string;
};

export const REQUIREMENTS: readonly Requirement[] = JSON.parse(
  readFileSync(new URL("../fixtures/requirements.json", import.meta.url), "utf8"),
);

const KNOWN: ReadonlySet<string> = new Set(REQUIREMENTS.map((requirement) => requirement.id));

/** Says that the test around it proves these statements. */
export function verifies(...ids: readonly string[]): void {
  for (const id of ids) {
    if (!KNOWN.has(id)) throw new Error(`no statement of the contract has the id ${id}`);
  }
}
