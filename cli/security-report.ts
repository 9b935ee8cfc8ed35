/** The security report of a program under the built-in profiles and one more, if asked for. */
import type { Ir } from "../compiler/ir/graph.ts";
import { securityReport } from "../compiler/policy/report.ts";
import type { SecurityReport } from "../compiler/policy/report-shape.ts";
import { profileTerms } from "../vm/grant/profile-terms.ts";
import { PROFILES, type Profile } from "../vm/grant/profiles.ts";
import type { Session } from "./commands/base.ts";

export function reportOf(session: Session, ir: Ir, further: Profile | null = null): SecurityReport {
  const profiles = [...PROFILES, ...(further === null || PROFILES.includes(further) ? [] : [further])];
  return securityReport(ir, session.host.catalog, { profiles: profiles.map(profileTerms) });
}
