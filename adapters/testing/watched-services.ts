/**
 * Services of a host with every call of theirs seen: counted, told, and failed when a test wants so. Handles that they give are seen
 * likewise. The services themselves stay real.
 */
import { isPromise } from "../../vm/calls/session.ts";
import type { HostServices } from "../definition/host-services.ts";
import { adapterError } from "../errors.ts";

/** What a call gave: a promise, a handle with calls of its own, or a plain value. */
type CallKind = "promise" | "handle" | "value";

export type Watch = {
  /** Calls so far, of services and their handles. */
  readonly calls: readonly CallKind[];
  /** Told the number of each call before it is made; the kind it answers with says how the call fails, null that it is made. */
  onCall(decide: ((call: number) => CallKind | null) | null): void;
};

export function watchedServices(services: HostServices): { readonly services: HostServices; readonly watch: Watch } {
  const calls: CallKind[] = [];
  let decide: ((call: number) => CallKind | null) | null = null;
  const proxies = new WeakMap<object, object>();

  const called = (target: object, member: (...args: never) => unknown, args: readonly unknown[]): unknown => {
    const number = calls.push("value");
    const failing = decide?.(number) ?? null;
    if (failing !== null) return failed(failing);
    const given: unknown = Reflect.apply(member, target, args);
    if (isPromise(given)) calls[number - 1] = "promise";
    else if (isService(given)) calls[number - 1] = "handle";
    return watched(given);
  };

  const watched = <T>(value: T): T => {
    if (!isService(value)) return value;
    const known = proxies.get(value);
    if (known !== undefined) return known as T;
    const proxy = new Proxy(value, {
      get(target, name) {
        // Private members and getters need the object itself.
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return watched(member);
        return (...args: readonly unknown[]): unknown =>
          name === "close" ? Reflect.apply(member, target, args) : called(target, member as () => unknown, args);
      },
    });
    proxies.set(value, proxy);
    return proxy as T;
  };

  return {
    services: watched(services),
    watch: {
      calls,
      onCall(next) {
        decide = next;
      },
    },
  };
}

function failed(kind: CallKind): Promise<never> {
  const fault = adapterError("ADAPTER_UNAVAILABLE", "the service failed");
  if (kind === "promise") return Promise.reject(fault);
  throw fault;
}

/** Something with methods that is neither data nor of the platform. */
function isService(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    const members = Object.values(Object.getOwnPropertyDescriptors(value));
    return members.some(({ get, value: member }) => get !== undefined || typeof member === "function");
  }
  return !Function.prototype.toString.call(value.constructor).includes("[native code]");
}
