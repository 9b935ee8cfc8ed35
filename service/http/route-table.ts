import type { ServiceApp } from "./service-app.ts";

export type Endpoint = { readonly method: string; readonly path: string };

export class RouteTable {
  readonly #endpoints: (Endpoint & { readonly hidden: boolean })[] = [];

  /** Must be made before any route is registered. */
  constructor(app: ServiceApp) {
    app.addHook("onRoute", ({ method, url, schema }) => {
      const hidden = schema?.hide === true;
      for (const one of [method].flat())
        this.#endpoints.push({ method: one, path: url.replace(/:([a-z_]+)/g, "{$1}"), hidden });
    });
  }

  /** Without HEAD, which stands wherever GET does, and without what the service's own document leaves out. */
  endpoints(): readonly Endpoint[] {
    return this.#endpoints
      .filter(({ method, hidden }) => method !== "HEAD" && !hidden)
      .map(({ method, path }) => ({ method, path }));
  }

  /** Methods of the endpoint at a URL; empty for an unknown path. */
  methodsAt(url: string): readonly string[] {
    const path = pathIn(url);
    const found = this.#endpoints.filter((endpoint) => matches(endpoint.path, path));
    return [...new Set(found.map(({ method }) => method))];
  }
}

/** The path of a URL as the router reads it: without scheme and host, unescaped as far as no segment changes. */
function pathIn(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/)[0] ?? "";
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.at(-1) === "*")
    return given.length >= wanted.length && path.startsWith(pattern.slice(0, pattern.indexOf("{")));
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => part === given[at] || (part.startsWith("{") && given[at] !== ""))
  );
}
