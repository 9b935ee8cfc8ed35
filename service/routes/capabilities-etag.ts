/** What only this service adds to the capabilities document, and the tags by which clients know theirs is current. */
import { createHash } from "node:crypto";

/** Names in `features` that hold whatever parts are added. */
export const FEATURES: readonly string[] = ["batch", "idempotency", "replay", "prometheus", "openapi"];

/** An entity tag of a text. */
export function entityTag(text: string): string {
  return `"${createHash("sha256").update(text, "utf8").digest("hex").slice(0, 32)}"`;
}

/** Whether `If-None-Match` names the tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  return (header ?? "").split(",").some((part) => ["*", tag, `W/${tag}`].includes(part.trim()));
}
