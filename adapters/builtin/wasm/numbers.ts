/**
 * Numbers of a program as WebAssembly takes and gives them. i32 may be written signed or unsigned; i64 also as decimal
 * text, because numbers of a program are exact only up to 2^53. Knows no module.
 */
import type { Json } from "../../../compiler/json.ts";
import { counted } from "../../../grammar/text/english.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { badArguments } from "../../definition/bind.ts";
import type { ModuleExport, ValueType } from "../../engine/wasm/types.ts";
import { adapterError } from "../../errors.ts";

const DECIMAL = /^-?[0-9]{1,20}$/;
const I64_LEAST = -(2n ** 63n);
const I64_MOST = 2n ** 64n - 1n;

/** Positions of the verb's own arguments before the numbers. */
const PLACES_BEFORE = 2;

/** The arguments for `called`. Throws ADAPTER_BAD_ARGS; ADAPTER_WASM_EXPORT when its types cannot be passed at all. */
export function toWasm(called: ModuleExport, args: readonly Json[]): readonly (number | bigint)[] {
  const { params, results } = called;
  if (![...params, ...results].every(isNumeric)) {
    throw adapterError("ADAPTER_WASM_EXPORT", "the function has parameters or results that are not numbers");
  }
  if (args.length !== params.length) {
    const got = counted(args.length, "number");
    throw badArguments([{ path: `/${PLACES_BEFORE}`, expected: counted(params.length, "number"), got }]);
  }
  return params.map((type, index) => {
    const value = args[index] ?? null;
    const converted = wasmNumber(type, value);
    if (converted === null) throw unfit(type, value, index);
    return converted;
  });
}

/** null for no result, the number for one, a list for several. Throws ADAPTER_NUMERIC_RANGE. */
export function fromWasm(numbers: readonly (number | bigint)[], allowNonfinite: boolean): Json {
  const values = numbers.map((value) => plain(value, allowNonfinite));
  return values.length <= 1 ? (values[0] ?? null) : values;
}

function isNumeric(type: ValueType): boolean {
  return type === "i32" || type === "i64" || type === "f32" || type === "f64";
}

function wasmNumber(type: ValueType, value: Json): number | bigint | null {
  if (type === "i64") return wide(value);
  if (typeof value !== "number") return null;
  if (type !== "i32") return value;
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32 ? value : null;
}

function wide(value: Json): bigint | null {
  const whole =
    typeof value === "number" ? Number.isSafeInteger(value) : typeof value === "string" && DECIMAL.test(value);
  if (!whole) return null;
  const exact = BigInt(value as number | string);
  return exact >= I64_LEAST && exact <= I64_MOST ? exact : null;
}

const EXPECTED: Readonly<Partial<Record<ValueType, string>>> = {
  i32: "a whole number from -2147483648 to 4294967295",
  i64: "a whole number of 64 bits, beyond 2^53 as decimal text",
};

function unfit(type: ValueType, value: Json, index: number): AdapterError {
  const got = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  return badArguments([{ path: `/${PLACES_BEFORE + index}`, expected: EXPECTED[type] ?? "a number", got }]);
}

function plain(value: number | bigint, allowNonfinite: boolean): Json {
  if (typeof value === "bigint") {
    const near = Number(value);
    return Number.isSafeInteger(near) ? near : value.toString();
  }
  if (Number.isFinite(value)) return value;
  if (allowNonfinite) return null;
  throw adapterError("ADAPTER_NUMERIC_RANGE", "the result is not a finite number");
}
