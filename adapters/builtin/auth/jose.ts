/** jose, an optional package, loaded when the first token is checked. */
import { packageMissing } from "../../packages.ts";

export async function loadJose(): Promise<typeof import("jose")> {
  try {
    return await import("jose");
  } catch (cause) {
    throw packageMissing("checking JWTs", "jose", cause);
  }
}
