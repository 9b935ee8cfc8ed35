/** The address of the page: path below `/ui/` and query. Links inside the page change it without loading anything. */
import { signal } from "@preact/signals";

export type Place = { readonly path: readonly string[]; readonly query: URLSearchParams };

const BASE = "/ui";

function read(): Place {
  const path = location.pathname.slice(BASE.length).split("/").filter(Boolean).map(decoded);
  return { path, query: new URLSearchParams(location.search) };
}

/** A part that is not encoded as addresses are is taken as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const place = signal<Place>(read());

/** An address of the page: parts of the path, and a query without empty members. */
export function address(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return `${BASE}/${path.map(encodeURIComponent).join("/")}${search}`;
}

export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  place.value = read();
  if (replace) return;
  scrollTo(0, 0);
  // What was activated is not there any more: reading and keys continue at the beginning of the new page.
  document.getElementById("content")?.focus({ preventScroll: true });
}

/** Follows links of the page without loading it anew; everything a browser does with modifier keys stays. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    place.value = read();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.origin !== location.origin || link.target !== "" || link.hasAttribute("download")) return;
    if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
