/**
 * Services of a host with every call of theirs seen: counted, told, and failed when a test wants so. Handles that they give are seen
 * likewise. The services themselves stay real.
 */
import { adapterError } from "../errors.ts";
import type { HostServices } from "../services.ts";

export type Watch = {
  /** Calls so far, of services and their handles. */
  readonly calls: number;
  /** Told before each call; true: the call fails instead of being made. */
  onCall(decide: ((call: number, name: string) => boolean) | null): void;
};

export function watchedServices(services: HostServices): { readonly services: HostServices; readonly watch: Watch } {
  let calls = 0;
  let decide: ((call: number, name: string) => boolean) | null = null;
  const proxies = new WeakMap<object, object>();

  const watched = <T>(value: T): T => {
    if (!isService(value)) return value;
    const known = proxies.get(value);
    if (known !== undefined) return known as T;
    const proxy = new Proxy(value, {
      get(target, name) {
        // Private members and getters need the object itself.
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return watched(member);
        return (...args: readonly unknown[]): unknown => {
          if (String(name) === "close") return Reflect.apply(member, target, args);
          calls += 1;
          if (decide?.(calls, String(name)) === true) return failed(String(name));
          return watched(Reflect.apply(member, target, args));
        };
      },
    });
    proxies.set(value, proxy);
    return proxy as T;
  };

  return {
    services: watched(services),
    watch: {
      get calls() {
        return calls;
      },
      onCall(next) {
        decide = next;
      },
    },
  };
}

/** Methods that give handles throw, all others reject. */
const GIVES_HANDLE: ReadonlySet<string> = new Set(["open", "lane", "scope"]);

function failed(name: string): Promise<never> {
  const fault = adapterError("ADAPTER_UNAVAILABLE", "the service failed");
  if (GIVES_HANDLE.has(name)) throw fault;
  return Promise.reject(fault);
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
