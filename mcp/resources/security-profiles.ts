/** wf://security-profiles: the named security profiles, then the exposure profiles. */
import { EXPOSURE_PROFILES } from "../exposure.ts";
import type { McpServices } from "../services.ts";

export async function securityProfiles({ runtime }: McpServices): Promise<object> {
  return { schema_version: "1.0", profiles: runtime.profiles, exposure_profiles: EXPOSURE_PROFILES };
}
