/** The library that decodes and encodes the messages of Arrow: an optional package, loaded at its first use. */
import { installCommand } from "../../../adapters/packages.ts";
import { CliFault, EXIT } from "../../session/faults.ts";

const PACKAGE = "apache-arrow";

export type ArrowLibrary = typeof import("apache-arrow");

/** Throws CliFault where the package is missing. */
export async function arrowLibrary(): Promise<ArrowLibrary> {
  try {
    return await import("apache-arrow");
  } catch {
    const install = installCommand([PACKAGE]);
    throw new CliFault(`Arrow files need the package ${PACKAGE}; install it with: ${install}`, {
      error: "package_missing",
      exitCode: EXIT.usage,
      members: { package: PACKAGE, install },
      notes: ["CSV and JSON lines need no package"],
    });
  }
}
