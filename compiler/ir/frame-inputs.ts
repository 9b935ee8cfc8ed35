/** The inputs that `# frame:` comments declare. */
import type { Ir } from "./graph.ts";

/** Names of declared inputs that `frame` has no value for. */
export function inputsNotGiven({ declarations }: Pick<Ir, "declarations">, frame: object): string[] {
  return declarations
    .filter(({ op }) => op === "frame")
    .flatMap(({ slots }) => slots.slice(0, 1))
    .filter((name) => !Object.hasOwn(frame, name));
}
