/** UUIDs, and what urlparse, urlsplit and urldefrag give: tuples with names. */
import { PyObject, PyType, setType } from "../object.ts";
import { PyTuple, TUPLE_TYPE } from "./list.ts";

export abstract class PyUrl extends PyTuple {
  /** On the prototype of each class. */
  abstract readonly names: readonly string[];
}

function named(made: { readonly prototype: PyUrl }, name: string, names: readonly string[]): PyType {
  Object.defineProperty(made.prototype, "names", { value: names });
  return setType(made, new PyType(name, [TUPLE_TYPE], {}, `urllib.parse.${name}`));
}

export class PyParseResult extends PyUrl {
  declare readonly names: readonly string[];
}
export class PySplitResult extends PyUrl {
  declare readonly names: readonly string[];
}
export class PyDefragResult extends PyUrl {
  declare readonly names: readonly string[];
}
export const PARSE_RESULT_TYPE = named(PyParseResult, "ParseResult", [
  "scheme",
  "netloc",
  "path",
  "params",
  "query",
  "fragment",
]);
export const SPLIT_RESULT_TYPE = named(PySplitResult, "SplitResult", ["scheme", "netloc", "path", "query", "fragment"]);
export const DEFRAG_RESULT_TYPE = named(PyDefragResult, "DefragResult", ["url", "fragment"]);

export class PyUuid extends PyObject {
  declare readonly type: PyType;
  /** 32 digits in lower case. */
  readonly hex: string;
  constructor(hex: string) {
    super();
    this.hex = hex;
  }
}
export const UUID_TYPE = setType(PyUuid, new PyType("UUID", [], {}, "uuid.UUID"));
