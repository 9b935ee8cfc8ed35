/** Expressions of plugins, tools and other servers: they read a text once, and fail as ADAPTER_TOO_LARGE where that takes too long. */
import { BoundedPattern } from "../../vm/pattern/bounded-pattern.ts";
import { adapterError } from "../errors.ts";

export class LinearPattern extends BoundedPattern {
  constructor(source: string, flags: "" | "u" = "") {
    super(source, flags, () => adapterError("ADAPTER_TOO_LARGE", "comparing a text with its pattern takes too long"));
  }
}
