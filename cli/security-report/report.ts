/** The security report of a program under the known profiles, those of WF_PROFILES_FILE included, and one more, if asked for. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import type { SecurityReport } from "../../compiler/policy/report-shape.ts";
import { profileTerms } from "../../vm/grant/profile-terms.ts";
import type { Profile } from "../../vm/grant/profiles.ts";
import { knownProfiles } from "../grant/grant-documents.ts";
import type { Session } from "../session/session.ts";

export function reportOf(session: Session, ir: Ir, further: Profile | null = null): SecurityReport {
  const known = knownProfiles(session);
  const isFurther = ({ name }: Profile): boolean => name === further?.name;
  const added = further === null || known.some(isFurther) ? [] : [further];
  const profiles = [...known.map((one) => (further !== null && isFurther(one) ? further : one)), ...added];
  return securityReport(ir, session.host.catalog, { profiles: profiles.map(profileTerms) });
}
