/**
 * What programs do with values, whatever their kind: the front door of `operators/`, which find the slots of a value's type, and of `types/`,
 * which fill the slots of the builtin types. A native that computes with values imports this page, so that no slot is missing.
 */
import "./bytes/slots.ts";
import "./format/slots.ts";
import "./types/dict.ts";
import "./types/exception.ts";
import "./types/list.ts";
import "./types/range.ts";
import "./types/set.ts";
import "./types/simple.ts";
import "./types/text.ts";
import "./types/tuple.ts";
import "./types/view.ts";

export { attribute, contains, deleteItem, item, iterate, length, setItem } from "./operators/access.ts";
export { binary, inPlace, unary } from "./operators/binary.ts";
export { equals, isSame, order, truth } from "./operators/compare.ts";
export { each, gathered, keep, known, visit } from "./operators/each.ts";
export { asIndex } from "./operators/index.ts";
export { compoundKey, identityKey, keyOf } from "./operators/keys.ts";
export { isFloat, isInt, isNumber } from "./operators/numbers.ts";
export { format, repr, text } from "./operators/text.ts";
