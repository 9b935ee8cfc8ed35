/** Commands that ask a service behind a proxy that wants credentials: they are sent, and no message shows them. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentOf, wf } from "../console.ts";

const seen: (string | undefined)[] = [];
let proxy: Server;
let host = "";
beforeAll(async () => {
  proxy = createServer(({ headers: { authorization }, url }, response) => {
    seen.push(authorization);
    if (authorization !== "Bearer tok") {
      response.writeHead(401, { "content-type": "text/html" }).end("<h1>401</h1>");
    } else if (url?.endsWith("/events") === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('event: end\ndata: {"status":"succeeded","ok":true}\n\n');
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end('{"jobs":[],"next_cursor":null}');
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => proxy.close(() => resolve())));

const asked = (address: string, ...argv: string[]) => wf(argv, { environment: { WF_SERVER: address } });

describe("a service behind a proxy with a token", () => {
  it("is asked with the token of the address, for answers and for events", async () => {
    expect(await asked(`http://tok@${host}`, "jobs", "list")).toMatchObject({ code: 0 });
    expect(await asked(`http://tok@${host}`, "trace", "--follow", "--job", "a")).toMatchObject({ code: 0 });
    expect(seen.splice(0)).toEqual(["Bearer tok", "Bearer tok"]);
  });

  it("says where credentials belong, and never what they are", async () => {
    const without = await asked(`http://${host}`, "jobs", "list");
    expect(without.code).toBe(2);
    expect(without.stderr).toContain(
      "it asks for credentials\nput them into the address: WF_SERVER=https://TOKEN@HOST",
    );
    const wrong = await asked(`http://ann:secret@${host}`, "jobs", "list", "--json");
    expect(documentOf(wrong)).toMatchObject({ error: "proxy_refused", status: 401 });
    const away = await asked("http://ann:secret@127.0.0.1:1", "jobs", "list");
    expect(away.stderr).toContain("no service answers at http://127.0.0.1:1\n");
    for (const { stdout, stderr } of [wrong, away]) expect(stdout + stderr).not.toContain("secret");
    expect(seen.splice(0)).toEqual([undefined, `Basic ${Buffer.from("ann:secret").toString("base64")}`]);
  });
});
