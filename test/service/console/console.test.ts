/** `/ui`: what is sent, under which headers, and who may change something through a page. Needs a build. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../../service/console/files.ts";
import { RUNTIME_VERSION } from "../../../vm/version.ts";
import { type Serving, serving } from "../serving.ts";

const files = consoleFiles() ?? missing();

function missing(): never {
  throw new Error("the console is not built: npm run build");
}

const PROGRAM = { code: "L1:\n  J 1\n" };
const opened: Serving[] = [];
const console = async (variables: Record<string, string>): Promise<Serving> => {
  const service = await serving({ variables, app: { consoleFiles: files } });
  opened.push(service);
  return service;
};
/** Headers of a request that a page of this service sends. */
const ofPage = ({ port }: Serving) => ({ origin: `http://127.0.0.1:${port}` });

let read: Serving;
let act: Serving;

beforeAll(async () => {
  [read, act] = await Promise.all([console({}), console({ WF_UI: "act", WF_UI_VALUES: "0" })]);
});
afterAll(async () => {
  await Promise.all(opened.map((service) => service.stop()));
});

describe("the page", () => {
  it.each(["/ui", "/ui/jobs", "/ui/jobs/01980c1e", "/ui/schedules/a/b?x=1"])("is at %s", async (path) => {
    const { status, headers, text } = await read.call("GET", path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    });
    expect(text).toContain('name="weft-rules" content="read values"');
  });

  it("says what it may do", async () => {
    expect((await act.call("GET", "/ui")).text).toContain('name="weft-rules" content="act"');
  });

  it("names the version, and the service and its environment where the operator gave them names", async () => {
    expect((await read.call("GET", "/ui")).text).toContain(`name="weft-service" content="${RUNTIME_VERSION}||"`);
    const named = await console({ WF_ENVIRONMENT: "staging 2", WF_SERVICE_NAME: "Orders of Europe" });
    expect((await named.call("GET", "/ui")).text).toContain(`content="${RUNTIME_VERSION}|staging 2|Orders of Europe"`);
  });

  it.each(['"><b>', "a|b", "$&", "\u202eevil", "-", "x".repeat(33)])(
    "has no name such as %j, which could be taken for something else",
    async (hostile) => {
      for (const name of ["WF_ENVIRONMENT", "WF_SERVICE_NAME"])
        await expect(console({ [name]: hostile })).rejects.toThrow(new RegExp(`${name} must be a name`));
    },
  );

  it("names files whose names change with their content", async () => {
    const { text } = await read.call("GET", "/ui");
    const names = [...text.matchAll(/"\/ui\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(names).toHaveLength(3);
    for (const name of names) {
      const { status, headers } = await read.call("GET", `/ui/assets/${name}`);
      expect(name).toMatch(/-[A-Z0-9]{8}\.(js|css|svg)$/);
      expect(status).toBe(200);
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  it.each(["none.js", "..%2fpackage.json", "__proto__", "index.html"])("has no file %s", async (name) => {
    expect((await read.call("GET", `/ui/assets/${name}`)).status).toBe(404);
  });

  it("does not stand in the service's own document", async () => {
    const { body } = await read.call("GET", "/openapi.json");
    expect(Object.keys(body.paths).filter((path) => path.startsWith("/ui"))).toEqual([]);
  });
});

describe("a page", () => {
  it("cannot change anything where the console reads", async () => {
    for (const headers of [ofPage(read), { ...ofPage(read), "x-wf-ui": "1" }])
      expect((await read.call("POST", "/run", PROGRAM, headers)).body).toMatchObject({
        ok: false,
        error: "ui_read_only",
      });
    expect((await read.call("GET", "/health", undefined, ofPage(read))).status).toBe(200);
  });

  it("changes something only with a header that no form can send", async () => {
    expect((await act.call("POST", "/run", PROGRAM, ofPage(act))).body.error).toBe("ui_read_only");
    expect((await act.call("POST", "/run", PROGRAM, { ...ofPage(act), "x-wf-ui": "1" })).body.ok).toBe(true);
  });

  it("of a playground runs what is written there, and changes nothing else", async () => {
    const playground = await console({ WF_UI: "playground", WF_DEPLOY: "1" });
    const headers = { ...ofPage(playground), "x-wf-ui": "1" };
    expect((await playground.call("POST", "/run", PROGRAM, headers)).body.ok).toBe(true);
    expect((await playground.call("POST", "/run", PROGRAM, ofPage(playground))).body.error).toBe("ui_read_only");
    for (const [method, path] of [
      ["PUT", "/programs/a"],
      ["POST", "/batch"],
      ["POST", "/run?x=1"],
    ] as const)
      expect((await playground.call(method, path, PROGRAM, headers)).body.error, path).toBe("ui_read_only");
  });

  it("of another origin is refused, whatever it sends", async () => {
    const headers = { origin: "http://evil.example", "x-wf-ui": "1" };
    expect((await act.call("POST", "/run", PROGRAM, headers)).body.error).toBe("forbidden_origin");
  });

  it("cannot change anything where the console reads, behind a proxy that changes the Host either", async () => {
    const origin = "https://weft.example";
    const service = await console({ WF_UI: "read", WF_ALLOWED_ORIGINS: origin });
    for (const sent of [{ "x-wf-ui": "1" }, { "sec-fetch-site": "same-origin" }])
      expect((await service.call("POST", "/run", PROGRAM, { origin, ...sent })).body.error).toBe("ui_read_only");
  });

  it("of an origin that the operator allows calls the API, whatever the console may do", async () => {
    const origin = "https://app.example";
    const service = await console({ WF_UI: "read", WF_ALLOWED_ORIGINS: origin });
    for (const sent of [{}, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }])
      expect((await service.call("POST", "/run", PROGRAM, { origin, ...sent })).body.ok).toBe(true);
  });

  it("is not what programs that call the API are taken for", async () => {
    expect((await read.call("POST", "/run", PROGRAM)).body.ok).toBe(true);
  });
});

describe("the console", () => {
  it.each([
    ["WF_UI=off", { WF_UI: "off" }],
    ["an address that others reach", { WF_HOST: "0.0.0.0" }],
  ])("is not there with %s", async (_title, variables) => {
    const service = await console(variables);
    expect((await service.call("GET", "/ui")).status).toBe(404);
    expect((await service.call("POST", "/run", PROGRAM, ofPage(service))).body.ok).toBe(true);
  });

  it("is small", () => {
    const size = (pattern: RegExp) =>
      [...files.assets]
        .filter(([name]) => pattern.test(name))
        .reduce((sum, [, { gzipped }]) => sum + gzipped.length, 0);
    const page = files.page.length + gzipSync(files.page).length;
    expect(page).toBeLessThan(4096);
    const first = loadedWith("main");
    const compiler = [...loadedWith("compiler")].filter((name) => !first.has(name));
    expect(sizeOf(first)).toBeLessThan(60 * 1024);
    expect(sizeOf(compiler)).toBeLessThan(230 * 1024);
    const python = [...loadedWith("python")].filter((name) => !first.has(name) && !compiler.includes(name));
    expect(python).toHaveLength(1);
    // Only a page with Python in it loads these: the language with its library, and the checks of what adapters answer.
    expect(sizeOf(python)).toBeLessThan(104 * 1024);
    expect(size(/\.js$/) - sizeOf(compiler)).toBeLessThan(278 * 1024);
    expect(size(/\.css$/)).toBeLessThan(12 * 1024);
  });
});

const gzippedOf = (name: string): number => files.assets.get(name)?.gzipped.length ?? 0;
const sizeOf = (names: Iterable<string>): number => [...names].reduce((sum, name) => sum + gzippedOf(name), 0);

/** Scripts that the browser loads with one of them, itself included; what is imported on demand is not among them. */
function loadedWith(name: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const add = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = files.assets.get(file)?.plain.toString() ?? "";
    for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) add(imported);
  };
  for (const file of files.assets.keys()) if (file.startsWith(`${name}-`) && file.endsWith(".js")) add(file);
  return loaded;
}
