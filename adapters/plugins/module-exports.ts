/** Which export of a module is the definition of its adapter. */
import { StartFault } from "../operator/start-fault.ts";

/** The default export when it looks like a definition, else the one export that does. Throws StartFault. */
export function definitionIn(origin: string, module: object): unknown {
  const exports = Object.entries(module);
  const candidates = exports.filter(([, value]) => looksLikeDefinition(value));
  const [only] = candidates;
  const byDefault = candidates.find(([name]) => name === "default");
  if (byDefault !== undefined) return byDefault[1];
  if (only === undefined)
    throw new StartFault(
      `plugin ${origin}: exports no definition (an object with apiVersion and verbs, made with defineAdapter)`,
    );
  if (candidates.length > 1) {
    const names = candidates.map(([name]) => name).join(", ");
    throw new StartFault(
      `plugin ${origin}: exports several definitions (${names}); make one of them the default export`,
    );
  }
  return only[1];
}

function looksLikeDefinition(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("apiVersion" in value || "verbs" in value);
}
