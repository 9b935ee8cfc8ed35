/** The library of all programs, made when the first one asks. */
import { ADAPTER_ERROR, EXCEPTION_TYPES, OS_ERROR } from "../exceptions.ts";
import "../operations.ts";
import { HOST } from "./host.ts";
import { MODULES } from "./modules/parts.ts";
import { TEXTS } from "./parts.ts";
import { Library, type Part } from "./registry.ts";
import { VALUES } from "./values/parts.ts";

const EXCEPTIONS: Part = {
  natives: {},
  types: Object.fromEntries([...EXCEPTION_TYPES, ADAPTER_ERROR].map((type) => [type.name, type])),
  values: { IOError: OS_ERROR, EnvironmentError: OS_ERROR, "weft.AdapterError": ADAPTER_ERROR },
};

export const PARTS: readonly Part[] = [EXCEPTIONS, HOST, ...VALUES, ...TEXTS, ...MODULES];

let made: Library | null = null;

export function library(): Library {
  made ??= new Library(PARTS);
  return made;
}
