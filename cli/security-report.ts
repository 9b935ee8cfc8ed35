/** The security report of a program under the built-in profiles and one more, if asked for. */
import type { Ir } from "../compiler/ir/graph.ts";
import { securityReport } from "../compiler/policy/report.ts";
import type { ProfileTerms, SecurityReport } from "../compiler/policy/report-shape.ts";
import { policyOf } from "../vm/grant/convert.ts";
import { FLOOR_GRANT } from "../vm/grant/grant.ts";
import { fillGrant, PROFILES, type Profile } from "../vm/grant/profiles.ts";
import type { Session } from "./commands/base.ts";

export function reportOf(session: Session, ir: Ir, further: Profile | null = null): SecurityReport {
  const profiles = [...PROFILES, ...(further === null || PROFILES.includes(further) ? [] : [further])].map(termsOf);
  return securityReport(ir, session.host.catalog, { profiles });
}

function termsOf(profile: Profile): ProfileTerms {
  const grant = fillGrant(profile, FLOOR_GRANT);
  return {
    name: profile.name,
    allowed_adapters: grant.allowed_adapters,
    policy: policyOf(grant),
    limits: grant.limits,
    required_settings: profile.required_settings,
  };
}
