/** Which addresses a request may go to: texts as URLs, hosts against lists, addresses against the guard, and what lifts it. */
import { describe, expect, it } from "vitest";
import { createHostRules, hostOf, parsedUrl, portOf } from "../../../adapters/guard/http/rules.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { verifies } from "../../support/requirements.ts";

type Rules = Partial<Parameters<typeof createHostRules>[0]>;

function rulesOf(given: Rules = {}) {
  return createHostRules({ allowPrivate: false, viaProxy: false, ...given });
}

function codeOf(act: () => unknown): string {
  try {
    act();
    return "ok";
  } catch (thrown) {
    return thrown instanceof AdapterError ? thrown.code : String(thrown);
  }
}

/** How far a URL gets before anything is resolved. */
function admission(text: string, given: Rules = {}): string {
  return codeOf(() => {
    const url = parsedUrl(text);
    rulesOf(given).admit(hostOf(url), portOf(url));
  });
}

/** The addresses of a name that may be connected to. */
function reached(host: string, addresses: readonly string[], given: Rules = {}): readonly string[] | string {
  let left: readonly string[] = [];
  const code = codeOf(() => {
    left = rulesOf(given).reachable(host, 443, addresses);
  });
  return code === "ok" ? left : code;
}

describe("a URL", () => {
  it.each([
    "",
    "/rel",
    "example.com",
    "//example.com/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "data:text/plain,hi",
    "javascript:alert(1)",
    "ws://example.com/",
    "unix:/var/run/docker.sock",
    "http://",
    "http://:80/",
    "http://user@example.com/",
    "http://user:secret@example.com/",
    "http://127.0.0.1@localhost/",
    "http://@:x@example.com/",
    "http://example.com:70000/",
    "http://a b/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::1/",
    "http://example..com/",
    "http://example.com../",
    "http://%00.example.com/",
    "http://exa%2fmple.com/",
  ])("%j cannot be requested", (text) => {
    expect(admission(text)).toBe("ADAPTER_BAD_URL");
  });

  it("is never echoed", () => {
    for (const text of ["http://user:canary@example.com/", "canary://x", "canary"])
      expect(() => parsedUrl(text)).toThrow(expect.not.stringContaining("canary"));
  });

  it.each([
    ["HTTP://EXAMPLE.com.:80/a b?q=ü#part", "http://example.com/a%20b?q=%C3%BC"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://ＥＸＡＭＰＬＥ。com/", "https://example.com/"],
    ["http://example.com\\@127.0.0.1/", "http://example.com/@127.0.0.1/"],
    [" \thttp://exam\nple.com/", "http://example.com/"],
  ])("%j is asked for as %s", (text, href) => {
    expect(parsedUrl(text).href).toBe(href);
  });
});

const LOOPBACK = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://127.0.0.1./",
  "http://2130706433/",
  "http://017700000001/",
  "http://0177.0.0.1/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0X7F.0x0.0x0.0x1/",
  "http://127.255.255.254/",
  "http://１２７.０.０.１/",
  "http://%31%32%37.0.0.1/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://10.0.0.1/",
  "http://172.31.255.255/",
  "http://192.168.1.1:8080/",
  "http://100.64.0.1/",
  "http://[fd00::1]/",
];
const RESERVED = [
  "http://0.0.0.0/",
  "http://0/",
  "http://169.254.169.254/latest/meta-data",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://[::ffff:169.254.169.254]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://192.0.2.1/",
  "http://100.100.100.200/",
  "http://168.63.129.16/metrics",
  "http://[::]/",
  "http://[fe80::1]/",
  "http://[ff02::1]/",
  "http://[2001:db8::1]/",
  "http://[2002:7f00:1::]/",
  "http://[fd00:ec2::254]/",
  "http://[4000::1]/",
];

describe("an address in place of a name", () => {
  it.each([...LOOPBACK, ...RESERVED])("%s is refused without any list", (text) => {
    verifies("adapter.http.public-only");
    expect(admission(text)).toBe("ADAPTER_ADDRESS_BLOCKED");
  });

  it.each(LOOPBACK)("%s may be reached where private addresses may", (text) => {
    expect(admission(text, { allowPrivate: true })).toBe("ok");
  });

  it.each(RESERVED)("%s needs the word of the operator", (text) => {
    const host = new URL(text).host;
    const everything = ["0.0.0.0/0", "[::]/0"];
    expect(admission(text, { allowPrivate: true })).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect(admission(text, { allowPrivate: true, allowHosts: [host, ...everything] })).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect(admission(text, { allowHosts: [host], operatorHosts: [host] })).toBe("ok");
    expect(admission(text, { operatorHosts: [host], allowHosts: ["example.com"] })).toBe("ADAPTER_HOST_BLOCKED");
  });

  it.each([
    [["127.0.0.1"], "http://127.0.0.1:8080/", "ok"],
    [["127.0.0.1"], "http://2130706433/", "ok"],
    [["127.0.0.1"], "http://127.0.0.2/", "ADAPTER_HOST_BLOCKED"],
    [["127.0.0.1"], "http://localhost/", "ADAPTER_HOST_BLOCKED"],
    [["127.0.0.1"], "http://[::ffff:127.0.0.1]/", "ADAPTER_HOST_BLOCKED"],
    [["10.0.0.0/8"], "http://10.1.2.3/", "ok"],
    [["10.0.0.0/8"], "http://11.1.2.3/", "ADAPTER_HOST_BLOCKED"],
    [["[fd00::]/8"], "http://[fd12::1]:81/", "ok"],
    [["[::1]"], "http://[0:0::1]/", "ok"],
    [["10.0.0.1:8080"], "http://10.0.0.1:8080/", "ok"],
    [["10.0.0.1:8080"], "http://10.0.0.1/", "ADAPTER_HOST_BLOCKED"],
    [["8.8.8.8"], "http://8.8.8.8/", "ok"],
    [[], "http://8.8.8.8/", "ADAPTER_HOST_BLOCKED"],
  ])("with the hosts %j of the operator: %s is %s", (allowHosts, text, code) => {
    verifies("settings.http.allow_hosts", "adapter.http.public-only");
    expect(admission(text, { allowHosts, operatorHosts: allowHosts })).toBe(code);
  });

  it.each(LOOPBACK)("%s is not admitted by a list that a caller may have written", (text) => {
    const allowHosts = [new URL(text).host, "0.0.0.0/0", "[::]/0"];
    expect(admission(text, { allowHosts })).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect(admission(text, { allowHosts, operatorHosts: ["example.com"] })).toBe("ADAPTER_ADDRESS_BLOCKED");
  });
});

describe("a name", () => {
  it.each([
    [["example.com"], "https://example.com/", "ok"],
    [["example.com"], "https://EXAMPLE.com.:443/", "ok"],
    [["Example.COM."], "https://example.com/", "ok"],
    [["example.com"], "https://api.example.com/", "ADAPTER_HOST_BLOCKED"],
    [["example.com"], "https://example.com.evil.test/", "ADAPTER_HOST_BLOCKED"],
    [["example.com"], "https://notexample.com/", "ADAPTER_HOST_BLOCKED"],
    [["*.example.com"], "https://a.b.example.com/", "ok"],
    [["*.example.com"], "https://example.com/", "ADAPTER_HOST_BLOCKED"],
    [["example.com:443"], "https://example.com/", "ok"],
    [["example.com:443"], "http://example.com/", "ADAPTER_HOST_BLOCKED"],
    [["example.com:80"], "http://example.com/", "ok"],
    [["xn--bcher-kva.example"], "https://bücher.example/", "ok"],
    [["Bücher.example"], "https://xn--bcher-kva.example/", "ok"],
    [["*.bücher.example:8443"], "https://a.xn--bcher-kva.example:8443/", "ok"],
    [["bücher.example"], "https://bucher.example/", "ADAPTER_HOST_BLOCKED"],
    [[], "https://example.com/", "ADAPTER_HOST_BLOCKED"],
  ])("with the hosts %j: %s is %s", (allowHosts, text, code) => {
    expect(admission(text, { allowHosts })).toBe(code);
  });

  it.each([
    [undefined, 8443, "ok"],
    [[8443, 443], 8443, "ok"],
    [[443], 8443, "ADAPTER_HOST_BLOCKED"],
    [[], 443, "ADAPTER_HOST_BLOCKED"],
  ])("with the ports %j: %i is %s", (allowPorts, port, code) => {
    expect(admission(`https://example.com:${port}/`, { allowPorts })).toBe(code);
  });

  const PUBLIC = "93.184.216.34";
  it("is connected to at its public addresses only", () => {
    verifies("adapter.http.public-only");
    const all = [
      PUBLIC,
      "127.0.0.1",
      "10.0.0.1",
      "169.254.169.254",
      "::1",
      "2606:2800:220:1::1",
      "::ffff:10.0.0.1",
      "fe80::1%eth0",
    ];
    expect(reached("example.com", all)).toEqual([PUBLIC, "2606:2800:220:1::1"]);
    expect(reached("example.com", all, { allowPrivate: true })).toEqual([
      PUBLIC,
      "127.0.0.1",
      "10.0.0.1",
      "::1",
      "2606:2800:220:1::1",
      "::ffff:10.0.0.1",
    ]);
    expect(reached("example.com", all.slice(1, 4))).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect(reached("example.com", ["no address"])).toBe("ADAPTER_ADDRESS_BLOCKED");
  });

  it.each([
    ["localhost", ["localhost"], true],
    ["printer", ["printer"], true],
    ["db.internal", ["db.internal:443"], true],
    ["nas.local", ["nas.local"], true],
    ["a.localhost", ["a.localhost"], true],
    ["a.lan", ["a.lan"], true],
    ["a.home.arpa", ["a.home.arpa"], true],
    ["a.test", ["a.test"], true],
    ["db.internal", ["db.internal:80"], false],
    ["db.internal", ["*.internal"], false],
    ["db.internal", undefined, false],
    ["example.com", ["example.com"], false],
    ["example.com", ["*.example.com", "example.com:443"], false],
    ["example.com", ["example.com", "127.0.0.1", "10.0.0.0/8"], false],
    ["local.example.com", ["local.example.com"], false],
    ["internal.com", ["internal.com"], false],
  ])("%s with the hosts %j of the operator reaches inside: %s", (host, allowHosts, inside) => {
    verifies("adapter.http.public-only");
    for (const address of ["10.1.2.3", "169.254.169.254"]) {
      expect(reached(host, [address], { allowHosts })).toBe("ADAPTER_ADDRESS_BLOCKED");
      const operator = reached(host, [address], { allowHosts, operatorHosts: allowHosts });
      expect(operator).toEqual(inside ? [address] : "ADAPTER_ADDRESS_BLOCKED");
    }
  });

  it.each([
    ["http://localhost/", undefined, "ADAPTER_ADDRESS_BLOCKED"],
    ["http://localhost/", ["localhost"], "ok"],
    ["http://metadata.google.internal/", undefined, "ADAPTER_ADDRESS_BLOCKED"],
    ["http://metadata.google.internal/", ["*.internal"], "ADAPTER_ADDRESS_BLOCKED"],
    ["http://example.com/", undefined, "ok"],
    ["http://127.0.0.1/", undefined, "ADAPTER_ADDRESS_BLOCKED"],
  ])("behind a proxy: %s with the hosts %j of the operator is %s", (text, allowHosts, code) => {
    expect(admission(text, { allowHosts, operatorHosts: allowHosts ?? [], viaProxy: true })).toBe(code);
  });

  it("behind a proxy is not admitted inside by a list that a caller may have written", () => {
    expect(admission("http://localhost/", { allowHosts: ["localhost"], viaProxy: true })).toBe(
      "ADAPTER_ADDRESS_BLOCKED",
    );
  });
});
