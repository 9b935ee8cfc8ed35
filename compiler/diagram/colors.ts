/** Colors of the privilege tiers, for every form of diagram. Dark text reads on all of them. */
import type { PrivilegeTier } from "../catalog.ts";

export const COLORS: Readonly<Record<PrivilegeTier, { readonly fill: string; readonly line: string }>> = {
  pure: { fill: "#ffffff", line: "#444444" },
  local_state: { fill: "#dcebfa", line: "#1f5f99" },
  network: { fill: "#fdecc8", line: "#996300" },
  operator_sensitive: { fill: "#fbdcdc", line: "#99241f" },
};

/** Frame of a step that the compiler objects to. */
export const MARK_COLOR = "#d00000";
