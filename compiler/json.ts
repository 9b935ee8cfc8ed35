/** A JSON value: the only kind of value a program handles. Numbers are finite. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** A value with members; any text is a key. */
export type JsonObject = { readonly [key: string]: Json };
/** An object of which nothing else is known: what was read from outside. */
export type Members = { readonly [name: string]: unknown };

/** Neither null nor a list. */
export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Defines an own member whatever its name: `__proto__` and the like are data (docs/adr has the reasons). */
export function setMember<T = Json>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
