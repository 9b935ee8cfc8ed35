/** jose, an optional package, loaded when the first token is checked. */
import { adapterError } from "../errors.ts";

export async function loadJose(): Promise<typeof import("jose")> {
  try {
    return await import("jose");
  } catch (cause) {
    const data = { package: "jose", install: "npm install jose@6.2.17" };
    throw adapterError("ADAPTER_NOT_CONFIGURED", "checking JWTs needs the package jose", { data, cause });
  }
}
