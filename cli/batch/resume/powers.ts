/**
 * What a batch may do and where, as far as it decides on its results: policy, allowlist, adapters and their settings. It is compared
 * without being told: settings may hold credentials, so that nothing of them is kept but a hash that is salted and slow to try values with.
 */
import { createHash, randomBytes, scryptSync } from "node:crypto";
import * as z from "zod/mini";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Prepared } from "../../../vm/admission/prepare.ts";
import { constraintsOf } from "../../../vm/grant/normalize-grant.ts";

export const Powers = z.object({
  /** Policy and allowlist, which hold names only. */
  policy: z.string(),
  /** That the program calls and that are there. */
  adapters: z.array(z.string()),
  /** null: no adapter has any. */
  settings: z.nullable(z.object({ salt: z.string(), hash: z.string() })),
});
export type Powers = z.output<typeof Powers>;

const HASH_BYTES = 32;
const SALT_BYTES = 16;

export function powersOf(prepared: Prepared): Powers {
  const text = settingsText(prepared);
  const salt = randomBytes(SALT_BYTES).toString("base64");
  return {
    policy: policyHash(prepared),
    adapters: adaptersOf(prepared),
    settings: text === null ? null : { salt, hash: slowHash(text, salt) },
  };
}

/** What is different, in words; null: nothing. */
export function otherPowers(before: Powers, prepared: Prepared): string | null {
  if (before.policy !== policyHash(prepared)) return "another policy or allowlist";
  const adapters = before.adapters.join(", ");
  if (adapters !== adaptersOf(prepared).join(", "))
    return adapters === "" ? "no adapters" : `other adapters: ${adapters}`;
  return isSame(before.settings, settingsText(prepared)) ? null : "other settings of its adapters";
}

function isSame(before: Powers["settings"], text: string | null): boolean {
  return before === null || text === null ? before === text : before.hash === slowHash(text, before.salt);
}

function slowHash(text: string, salt: string): string {
  return scryptSync(text, salt, HASH_BYTES).toString("base64");
}

function policyHash({ admission: { policy, allowed } }: Prepared): string {
  const text = canonicalJson({ policy, allowed } as unknown as Json);
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

const adaptersOf = ({ adapters }: Prepared): string[] => [...adapters.keys()].sort();

function settingsText(prepared: Prepared): string | null {
  const { grant } = prepared.admission;
  // Functions of core are there without being an adapter.
  const given = [...new Set(["core", ...adaptersOf(prepared)])]
    .map((name) => [name, constraintsOf(grant, name)] as const)
    .filter(([, settings]) => Object.keys(settings).length > 0);
  return given.length === 0 ? null : canonicalJson(given as unknown as Json);
}
