/** What senders send to endpoints besides JSON: forms and files, texts, challenges, and pages of other origins. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange, type Reply } from "../serving.ts";

const CODE = `@api("/form", method="POST", body="form", files=True)
def form(a: int, tags: list[str] | None = None, note: str = "", file=None):
    return {"a": a, "tags": tags, "note": note, "file": file}

@api("/whole", method="POST", body="form")
def whole(body=None):
    return body

@api("/text", method="POST", body="text")
def text(body=None):
    return body

@api("/json", method="POST")
def plain(a=None):
    return {"a": a}

@api("/signed", method="POST", verify={"kind": "hmac", "secrets": "K", "header": "X-Sig"})
def signed(body=None):
    return body

@api("/slack", method="POST", verify={"kind": "hmac", "secrets": "K", "header": "X-Sig"}, challenge={"kind": "slack"})
def slack(body=None):
    return "ran"

@api("/discord", method="POST", verify={"kind": "hmac", "secrets": "K", "header": "X-Sig"}, challenge={"kind": "discord"})
def discord(body=None):
    return "ran"

@api("/meta", method="POST", challenge={"kind": "meta", "secrets": "WORD"})
def meta(body=None):
    return "ran"

@api("/basic", method="POST", verify={"kind": "basic", "user": "shop", "secrets": "K"})
def basic(body=None):
    return "ran"

@api("/open", method="POST", cors={"origins": ["https://shop.example"], "credentials": True, "headers": ["X-Kind"]})
def opened(a=None):
    return {"a": a}

@api("/any", method="GET", cors={"origins": ["*"], "max_age_s": 5})
def quotes():
    return 1
`;
const KEY = "topsecret";
const FORM = "application/x-www-form-urlencoded";

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs({ variables: { WF_SECRET_K: KEY, WF_SECRET_WORD: "given-to-meta" } });
  const { status, text } = await service.call("PUT", "/programs/w", { code: CODE });
  if (status !== 201) throw new Error(text);
});
afterAll(() => service.stop());

const app = (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  exchange(service.port, method, `/app/w${path}`, body, headers);
const signature = (body: string): object => ({ "x-sig": createHmac("sha256", KEY).update(body).digest("hex") });

describe("T.W: a form", () => {
  const post = (path: string, body: string, type = FORM, more = {}): Promise<Reply> =>
    app("POST", path, body, { "content-type": type, ...more });

  it("fills inputs as a query does, by their types", async () => {
    const { status, body } = await post("/form", "a=5&tags=x&note=a+b%21&other=1");
    expect([status, body]).toEqual([200, { a: 5, tags: ["x"], note: "a b!", file: null }]);
  });

  it("is an object of texts as a whole body, and a repeated field a list", async () => {
    expect((await post("/whole", "a=1&b=x+y&b=z&=&c")).body).toEqual({ a: "1", b: ["x y", "z"], "": "", c: "" });
  });

  it("is read with a signature, over its bytes", async () => {
    const body = "a=1&b=%C3%A4";
    expect((await post("/signed", body, FORM, signature(body))).body).toEqual({ a: "1", b: "ä" });
    expect((await post("/signed", `${body}&c=1`, FORM, signature(body))).status).toBe(401);
  });

  it.each([FORM, "multipart/form-data; boundary=x", "text/plain"])(
    "is not read where neither a signature nor the program asks for it: %s",
    async (type) => {
      const { status, body } = await post("/json", "a=1", type);
      expect([status, body.error]).toEqual([415, "unsupported_media_type"]);
      expect(body.message).toContain("verify");
    },
  );

  it.each([
    ["a broken escape", "a=%zz"],
    ["an escape that is not UTF-8", "a=%ff"],
    ["too many fields", "a&".repeat(1001)],
    ["the name __proto__", "__proto__=1"],
  ])("is refused with %s", async (_what, body) => {
    const reply = await post("/whole", body);
    expect([reply.status, reply.body.error, reply.body.issues[0].code]).toEqual([400, "invalid_request", "form"]);
  });

  it("has files, as base64, where the program takes them", async () => {
    const parts = [
      '--b1\r\nContent-Disposition: form-data; name="a"\r\n\r\n7',
      '--b1\r\nContent-Disposition: form-data; name="file"; filename="r%22\\\\.bin"\r\nContent-Type: image/png\r\n\r\n\u0001--b1',
      "--b1--\r\n",
    ];
    const type = 'multipart/form-data; boundary="b1"';
    const { status, body } = await post("/form", parts.join("\r\n"), type);
    expect([status, body.a]).toEqual([200, 7]);
    expect(body.file).toEqual({
      filename: 'r"\\.bin',
      content_type: "image/png",
      base64: Buffer.from("\u0001--b1").toString("base64"),
    });
    const refused = await post("/whole", parts.join("\r\n"), type);
    expect([refused.status, refused.body.issues[0].code]).toEqual([400, "file"]);
  });

  it.each([
    ["no boundary", "multipart/form-data", "--x--"],
    ["a boundary that never comes", "multipart/form-data; boundary=x", "hello"],
    ["no end", "multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n7'],
    [
      "a part without a name",
      "multipart/form-data; boundary=x",
      "--x\r\nContent-Disposition: form-data\r\n\r\n7\r\n--x--",
    ],
    ["headers without end", "multipart/form-data; boundary=x", `--x\r\n${"a".repeat(9000)}\r\n\r\n7\r\n--x--`],
  ])("of several parts is refused with %s", async (_what, type, body) => {
    const reply = await post("/whole", body, type);
    expect([reply.status, reply.body.issues[0].code]).toEqual([400, "form"]);
  });

  it("of several parts may have a file of 1 MiB and no larger", async () => {
    const sent = (size: number): Promise<Reply> =>
      post(
        "/form",
        `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${"a".repeat(size)}\r\n--x--`,
        "multipart/form-data; boundary=x",
      );
    expect((await sent(1024 * 1024)).status).toBe(200);
    const { status, body } = await sent(1024 * 1024 + 1);
    expect([status, body.error]).toEqual([413, "payload_too_large"]);
  });

  it("stands in the program's document where it is read", async () => {
    const { paths } = (await app("GET", "/openapi.json")).body;
    const typesAt = (path: string): string[] => Object.keys(paths[path].post.requestBody.content);
    expect(typesAt("/form")).toEqual(["application/json", FORM, "multipart/form-data"]);
    expect(typesAt("/json")).toEqual(["application/json"]);
  });
});

it("T.W: a text is the whole body where the program takes texts", async () => {
  const type = { "content-type": "text/xml; charset=utf-8" };
  expect((await app("POST", "/text", "<a/>", type)).body).toBe("<a/>");
});

describe("T.W: a challenge", () => {
  const post = (path: string, body: object, signed = true): Promise<Reply> => {
    const text = JSON.stringify(body);
    return app("POST", path, text, { "content-type": "application/json", ...(signed ? signature(text) : {}) });
  };

  it("of Slack is answered after its signature, as plain text and without a run", async () => {
    const asked = { type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" };
    expect((await post("/slack", asked, false)).status).toBe(401);
    const runs = service.log.filter(({ event }) => event === "run_complete").length;
    const { status, text, headers } = await post("/slack", asked);
    expect([status, text]).toEqual([200, asked.challenge]);
    expect([headers["content-type"], headers["x-content-type-options"]]).toEqual([
      "text/plain; charset=utf-8",
      "nosniff",
    ]);
    expect(service.log.filter(({ event }) => event === "run_complete").length).toBe(runs);
    expect((await post("/slack", { type: "event_callback" })).body).toBe("ran");
  });

  it.each(["<script>", "", "a".repeat(257), 7, null])("is not echoed when it is %j", async (challenge) => {
    const { status, body } = await post("/slack", { type: "url_verification", challenge });
    expect([status, body.issues[0].code]).toEqual([400, "challenge"]);
  });

  it("of Discord is a ping", async () => {
    expect((await post("/discord", { type: 1 })).body).toEqual({ type: 1 });
    expect((await post("/discord", { type: 2 })).body).toBe("ran");
  });

  it("of Meta comes by GET, with the word that it was given", async () => {
    const asked = (word: string, challenge = "1158201444"): Promise<Reply> =>
      app("GET", `/meta?hub.mode=subscribe&hub.challenge=${challenge}&hub.verify_token=${word}`);
    expect([(await asked("given-to-meta")).status, (await asked("given-to-meta")).text]).toEqual([200, "1158201444"]);
    expect((await asked("another")).status).toBe(401);
    expect((await asked("given-to-meta", "%3Cb%3E")).status).toBe(400);
    expect((await app("GET", "/meta")).status).toBe(401);
    expect((await app("POST", "/meta", {})).body).toBe("ran");
    expect((await app("OPTIONS", "/meta")).headers.allow).toBe("GET, HEAD, OPTIONS, POST");
  });

  it.each([
    ["of Slack without a signature", 'challenge={"kind": "slack"}', "POST"],
    ["at an endpoint for GET", 'challenge={"kind": "meta", "secrets": "WORD"}', "GET"],
    ["credentials for every origin", 'cors={"origins": ["*"], "credentials": True}', "POST"],
    ["files without forms", "files=True", "POST"],
  ])("refuses the deployment: %s", async (_what, option, method) => {
    const code = `@api("/x", method="${method}", ${option})\ndef x():\n    return 1\n`;
    const { status, body } = await service.call("PUT", "/programs/no?dry_run=1", { code });
    expect([status, body.error]).toEqual([422, "endpoint_invalid"]);
  });
});

it("T.W: a client without the password is asked for it", async () => {
  const { status, headers } = await app("POST", "/basic", {});
  expect([status, headers["www-authenticate"]]).toEqual([401, 'Basic realm="w", charset="UTF-8"']);
  const authorization = `Basic ${Buffer.from(`shop:${KEY}`).toString("base64")}`;
  expect((await app("POST", "/basic", {}, { authorization })).body).toBe("ran");
});

describe("T.W: a page of another origin", () => {
  const origin = "https://shop.example";

  it("may ask an endpoint that lists it, and reads what it answers, failures too", async () => {
    const { status, headers } = await app("POST", "/open", { a: 1 }, { origin });
    expect([status, headers["access-control-allow-origin"], headers["access-control-allow-credentials"]]).toEqual([
      200,
      origin,
      "true",
    ]);
    expect(headers.vary).toContain("Origin");
    const failed = await app("POST", "/open", "{", { origin, "content-type": "application/json" });
    expect([failed.status, failed.headers["access-control-allow-origin"]]).toEqual([400, origin]);
  });

  it("is answered before it sends", async () => {
    const asks = { origin, "access-control-request-method": "POST" };
    const { status, headers, text } = await app("OPTIONS", "/open", undefined, asks);
    expect([status, text, headers["access-control-allow-methods"]]).toEqual([204, "", "POST"]);
    expect(headers["access-control-allow-headers"]).toContain("x-kind");
    const any = await app("OPTIONS", "/any", undefined, {
      origin: "https://x.example",
      "access-control-request-method": "GET",
    });
    expect([any.status, any.headers["access-control-allow-origin"], any.headers["access-control-max-age"]]).toEqual([
      204,
      "*",
      "5",
    ]);
  });

  it.each([
    ["an origin that is not listed", "POST", "/open", { origin: "https://evil.example" }],
    ["an endpoint without the setting", "POST", "/json", { origin }],
    ["what is not there", "GET", "/nothing", { origin }],
    ["the document of the program", "GET", "/openapi.json", { origin }],
    ["a preflight for another method", "OPTIONS", "/open", { origin, "access-control-request-method": "PUT" }],
    ["a form, though the endpoint reads forms", "POST", "/whole", { origin, "content-type": FORM }],
  ])("is refused: %s", async (_what, method, path, headers) => {
    const reply = await app(method, path, method === "POST" ? "a=1" : undefined, headers);
    expect([reply.status, reply.body.error]).toEqual([403, "forbidden_origin"]);
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("reaches nothing outside of /app/", async () => {
    expect((await exchange(service.port, "GET", "/jobs", undefined, { origin })).status).toBe(403);
    expect((await exchange(service.port, "GET", "/app%2Fw/any", undefined, { origin })).status).toBe(403);
  });
});
