/** A security profile in the terms of the security report, which knows no profiles. */
import type { ProfileTerms } from "../../compiler/policy/report-shape.ts";
import { policyOf } from "./convert.ts";
import { FLOOR_GRANT } from "./grant.ts";
import { fillGrant, type Profile } from "./profiles.ts";

export function profileTerms(profile: Profile): ProfileTerms {
  const grant = fillGrant(profile, FLOOR_GRANT);
  return {
    name: profile.name,
    allowed_adapters: grant.allowed_adapters,
    policy: policyOf(grant),
    limits: grant.limits,
    required_settings: profile.required_settings,
  };
}
