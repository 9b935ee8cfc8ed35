/**
 * The kinds that functions of the prelude take, one word for each parameter: `list` any iterable with an order, `sequence` a list or a text, `field` how
 * a member is named, `?` that None stands for a missing one, `*` what all further arguments are. Nothing is converted: another kind raises TypeError.
 */
import { signatureOf } from "../../binding.ts";
import { raised, TYPE_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PySet } from "../../kinds/set.ts";
import { type Native, type NativeRun, typeOf, type Value } from "../../object.ts";
import { isNumber } from "../../operations.ts";
import { nameOf } from "../arguments.ts";

/** Functions by name: the kinds of the parameters, and what runs when the arguments have them. */
export type Functions = { readonly [name: string]: readonly [kinds: string, run: NativeRun] };

const isText = (value: Value): boolean => typeof value === "string";
const isWhole = (value: Value): boolean =>
  typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));

function isReal(value: Value): boolean {
  return isNumber(value) && typeof value !== "boolean";
}

function isList(value: Value): boolean {
  if (value instanceof PyList) return true;
  if (isText(value) || value instanceof PyDict || value instanceof PySet || value instanceof PyBytes) return false;
  return typeOf(value).slots.iterate !== undefined;
}

export function isItems(value: Value | undefined): value is PyList | PyTuple {
  return value instanceof PyList || value instanceof PyTuple;
}

type Kind = { readonly wanted: string; readonly holds: (value: Value) => boolean };

const KINDS: Readonly<Record<string, Kind>> = {
  any: { wanted: "a value", holds: () => true },
  str: { wanted: "str", holds: isText },
  int: { wanted: "int", holds: isWhole },
  number: { wanted: "int or float", holds: isReal },
  list: { wanted: "list", holds: isList },
  items: { wanted: "list", holds: isItems },
  dict: { wanted: "dict", holds: (value) => value instanceof PyDict },
  sequence: { wanted: "list or str", holds: (value) => isText(value) || isItems(value) },
  container: { wanted: "list or dict", holds: (value) => value instanceof PyDict || isItems(value) },
  field: { wanted: "str, int or a list of keys", holds: (value) => isText(value) || isWhole(value) || isItems(value) },
  time: { wanted: "str or int", holds: (value) => isText(value) || isReal(value) },
};

/** A native that looks at its arguments before it runs. */
export function typed(name: string, kinds: string, run: NativeRun): NativeRun {
  const wanted = kinds.split(" ").filter((word) => word !== "");
  const native: Native = { name: `weft.${name}`, run, isStatic: false, signature: null };
  return (ctx, ...args: (Value | undefined)[]) => {
    for (const [at, word] of wanted.entries()) {
      const value = args[at];
      const kind = KINDS[word.replace(/[?*]$/, "")] as Kind;
      if (word.endsWith("*")) {
        for (const one of (value as PyTuple).items) if (!kind.holds(one)) throw wrongKind(native, at, kind.wanted, one);
      } else if (!(word.endsWith("?") && (value === undefined || value === null)) && !kind.holds(value as Value))
        throw wrongKind(native, at, kind.wanted, value as Value);
    }
    return run(ctx, ...args);
  };
}

function wrongKind(native: Native, at: number, wanted: string, value: Value) {
  const parameter = signatureOf(native).parameters[at]?.name ?? "";
  return raised(
    TYPE_ERROR,
    `${native.name.slice(5)}() argument '${parameter}' must be ${wanted}, not ${nameOf(value)}`,
  );
}
