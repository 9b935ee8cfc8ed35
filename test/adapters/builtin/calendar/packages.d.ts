/** What the tests use of koa and caldav-adapter, which bring no types. */
declare module "koa" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export type Context = {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly method: string;
    readonly path: string;
    readonly request: { readonly body: string };
    status: number;
    body: unknown;
    respond: boolean;
    get(header: string): string;
    set(header: string, value: string): void;
  };
  export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void>;
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default class Koa {
    use(middleware: Middleware): void;
    on(event: "error", listener: (error: unknown) => void): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}

declare module "caldav-adapter" {
  import type { Context, Middleware } from "koa";

  type Named = { readonly calendarId: string; readonly eventId: string };
  export type Options = {
    readonly caldavRoot: string;
    readonly authRealm: string;
    readonly authenticate: (
      ctx: Context,
      given: { readonly username: string; readonly password: string },
    ) => Promise<{ readonly principalId: string; readonly principalName: string } | null>;
    readonly data: Readonly<Record<string, (ctx: Context, given: Named) => unknown>>;
  };
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default function caldav(options: Options): Middleware;
}
