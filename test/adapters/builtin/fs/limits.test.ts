/** What fs refuses: by settings, by size, by what a thing is, and by what the operating system says. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fsAdapter } from "../../../../adapters/builtin/fs/definition.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type ChildProgram, childProgram } from "../../guard/child-program.ts";
import { fsOn, type Scratch, scratch } from "./scratch.ts";

let place: Scratch;
beforeEach(() => {
  place = scratch();
  place.put("root/a.txt", "héllo");
  place.put("root/d/b.txt", "x");
  place.put("outside/keep.txt", "k");
});
afterEach(() => place.remove());

async function code(settings: JsonObject, verb: string, ...args: readonly Json[]): Promise<string> {
  const fs = await fsOn(place.root, settings);
  try {
    return await fs.code(verb, ...args);
  } finally {
    await fs.end();
  }
}

describe("settings", () => {
  type Row = readonly [settings: JsonObject, verb: string, args: readonly Json[], code: string];
  it.each<Row>([
    [{ allow_write: false }, "write", ["n.txt", "x"], "ADAPTER_WRITE_FORBIDDEN"],
    [{ allow_write: false }, "mkdir", ["n"], "ADAPTER_WRITE_FORBIDDEN"],
    [{ allow_write: false }, "copy", ["a.txt", "n.txt"], "ADAPTER_WRITE_FORBIDDEN"],
    [{ allow_write: false }, "move", ["a.txt", "n.txt"], "ADAPTER_WRITE_FORBIDDEN"],
    [{ allow_write: false, allow_delete: true }, "delete", ["a.txt"], "ADAPTER_WRITE_FORBIDDEN"],
    [{ allow_write: false }, "read", ["a.txt"], "no error"],
    [{}, "delete", ["a.txt"], "ADAPTER_DELETE_FORBIDDEN"],
    [{}, "delete", ["nosuch"], "ADAPTER_DELETE_FORBIDDEN"],
    [{ max_read_bytes: 3 }, "read", ["a.txt"], "ADAPTER_TOO_LARGE"],
    [{ max_read_bytes: 3 }, "read", ["a.txt", { offset: 3 }], "no error"],
    [{ max_read_bytes: 3 }, "read", ["a.txt", { length: 3 }], "no error"],
    [{ max_read_bytes: 3 }, "read", ["a.txt", { length: 4 }], "ADAPTER_TOO_LARGE"],
    [{ max_read_bytes: 6 }, "read", ["a.txt"], "no error"],
    [{ max_read_bytes: 3 }, "readlines", ["a.txt", { max_lines: 1 }], "ADAPTER_TOO_LARGE"],
    [{ max_read_bytes: 3 }, "copy", ["a.txt", "n.txt"], "ADAPTER_TOO_LARGE"],
    [{ max_read_bytes: 3 }, "stat", ["a.txt", { sha256: true }], "ADAPTER_TOO_LARGE"],
    [{ max_read_bytes: 3 }, "stat", ["a.txt"], "no error"],
    [{ max_write_bytes: 3 }, "write", ["n.txt", "héo"], "ADAPTER_TOO_LARGE"],
    [{ max_write_bytes: 3 }, "write", ["n.txt", "abc"], "no error"],
    [{ max_write_bytes: 3 }, "copy", ["a.txt", "n.txt"], "ADAPTER_TOO_LARGE"],
    [{ max_write_bytes: 3 }, "write", ["n.txt", "abcd", { mode: "append" }], "ADAPTER_TOO_LARGE"],
    [{ max_write_bytes: 7 }, "write", ["a.txt", "!", { mode: "append" }], "no error"],
    [{ max_write_bytes: 6 }, "write", ["a.txt", "!", { mode: "append" }], "ADAPTER_TOO_LARGE"],
    [{ max_write_bytes: 3 }, "write", ["a.txt", "", { mode: "append" }], "no error"],
    [{ max_write_bytes: 3 }, "write", ["a.txt", "abc"], "no error"],
    [{ max_result_bytes: 3 }, "read", ["a.txt"], "ADAPTER_TOO_LARGE"],
    [{ max_entries: 1 }, "list", ["."], "ADAPTER_TOO_LARGE"],
    [{ max_entries: 1 }, "list", [".", { limit: 1 }], "no error"],
    [{ max_entries: 1 }, "list", ["d"], "no error"],
    [{ max_entries: 1 }, "glob", ["**/*.txt"], "ADAPTER_TOO_LARGE"],
    [{ max_entries: 1 }, "glob", ["d/*.txt"], "no error"],
  ])("%j: %s %j: %s", async (settings, verb, args, expected) => {
    expect(await code(settings, verb, ...args)).toBe(expected);
  });

  it("name the bytes that a file may have", async () => {
    const fs = await fsOn(place.root, { max_read_bytes: 3 });
    await expect(fs.call("read", "a.txt")).rejects.toThrow("the file is larger than 3 bytes");
    await fs.end();
  });

  it("counts what one run writes", async () => {
    const fs = await fsOn(place.root, { max_total_write_bytes: 10 });
    expect(await fs.code("write", "1.txt", "123456")).toBe("no error");
    expect(await fs.code("write", "2.txt", "12345")).toBe("ADAPTER_QUOTA");
    expect(await fs.code("copy", "a.txt", "2.txt")).toBe("ADAPTER_QUOTA");
    await expect(fs.call("write", "2.txt", "12345")).rejects.toThrow(
      "the run may write 10 bytes (fs.max_total_write_bytes) and has written 6",
    );
    expect(await fs.code("write", "1.txt", "1234", { mode: "create" })).toBe("ADAPTER_CONFLICT");
    expect(await fs.code("write", "1.txt", "1234", { mode: "append" })).toBe("no error");
    expect(await fs.code("write", "1.txt", "1", { mode: "append" })).toBe("ADAPTER_QUOTA");
    expect(await fs.code("write", "2.txt", "")).toBe("no error");
    await fs.end();
  });

  it.each<readonly [allowed: readonly string[], verb: string, args: readonly Json[], code: string]>([
    [[".txt"], "read", ["a.txt"], "no error"],
    [[".txt"], "write", ["K.TXT", "x"], "no error"],
    [[".txt"], "write", ["k.sh", "x"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".txt"], "write", ["k", "x"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".txt"], "write", [".txt", "x"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".txt"], "write", ["a.txt.sh", "x"], "ADAPTER_EXTENSION_BLOCKED"],
    [["", ".md"], "write", [".profile", "x"], "no error"],
    [["", ".md"], "read", ["a.txt"], "ADAPTER_EXTENSION_BLOCKED"],
    [[], "write", ["k.txt", "x"], "ADAPTER_EXTENSION_BLOCKED"],
    [[], "read", ["a.txt"], "ADAPTER_EXTENSION_BLOCKED"],
    [[], "readlines", ["a.txt"], "ADAPTER_EXTENSION_BLOCKED"],
    [[], "delete", ["a.txt"], "ADAPTER_EXTENSION_BLOCKED"],
    [[], "stat", ["a.txt", { sha256: true }], "ADAPTER_EXTENSION_BLOCKED"],
    [[], "stat", ["a.txt"], "no error"],
    [[], "exists", ["a.txt"], "no error"],
    [[], "glob", ["*.txt"], "no error"],
    [[], "list", ["d"], "no error"],
    [[], "mkdir", ["n"], "no error"],
    [[], "move", ["d", "d2"], "no error"],
    [[], "move", ["a.txt", "b.txt"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".txt"], "move", ["a.txt", "a.sh"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".txt"], "copy", ["a.txt", "a.sh"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".md"], "copy", ["a.txt", "a.md"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".md"], "delete", ["d", { recursive: true }], "ADAPTER_EXTENSION_BLOCKED"],
    [[".txt"], "read", ["link.txt"], "ADAPTER_EXTENSION_BLOCKED"],
    [[".txt"], "write", ["link.txt", "x"], "ADAPTER_EXTENSION_BLOCKED"],
  ])("extensions %j: %s %j: %s", async (allowed, verb, args, expected) => {
    verifies("settings.fs.allow_extensions");
    place.put("root/run.sh", "sh");
    symlinkSync("run.sh", place.at("root/link.txt"));
    expect(await code({ allow_extensions: allowed, allow_delete: true }, verb, ...args)).toBe(expected);
    expect(readFileSync(place.at("root/run.sh"), "utf8")).toBe("sh");
    if (expected !== "no error") expect(readdirSync(place.at("root/d"))).toEqual(["b.txt"]);
  });
});

describe("places", () => {
  it("uses the data root without a setting, and refuses to guess without either", async () => {
    const places = { ...NO_PLACES, dataRoot: place.root };
    const fs = await openBench(fsAdapter, { services: { places } });
    expect(await fs.call("read", "a.txt")).toBe("héllo");
    await fs.end();
    expect(await (await openBench(fsAdapter)).code("read", "a.txt")).toBe("ADAPTER_BAD_SETTINGS");
  });

  it.each(["/", "/root", "/home/somebody"])("refuses %s as its root", async (root) => {
    const fs = await fsOn(root);
    expect(await fs.code("read", "a.txt")).toBe("ADAPTER_BAD_SETTINGS");
    expect(await fs.code("write", "a.txt", "x")).toBe("ADAPTER_BAD_SETTINGS");
  });

  it.each(["state", ".", "state-link"])("keeps programs from the state directory (%s)", async (root) => {
    mkdirSync(place.at("state/deep"), { recursive: true });
    symlinkSync("state", place.at("state-link"));
    const fs = await openBench(fsAdapter, {
      settings: { sandbox_root: place.at(root) },
      services: { places: { ...NO_PLACES, stateDir: place.at("state") } },
    });
    expect(await fs.code("list")).toBe("ADAPTER_BAD_SETTINGS");
  });
});

describe("hostile paths", () => {
  const VERBS: readonly (readonly [verb: string, ...rest: string[]])[] = [
    ["read"],
    ["readlines"],
    ["write", "x"],
    ["list"],
    ["glob"],
    ["exists"],
    ["stat"],
    ["mkdir"],
    ["copy", "n.txt"],
    ["move", "n.txt"],
    ["delete"],
  ];
  it.each(VERBS)("%s", async (verb, ...rest) => {
    verifies("limit.fs-traversal", "settings.fs.sandbox_root", "adapter.fs.sandboxed");
    symlinkSync("../outside", place.at("root/out"));
    const fs = await fsOn(place.root, { allow_delete: true });
    const escapes = ["..", "../outside/keep.txt", "d/../../outside/keep.txt", "/etc/passwd", "/a.txt", "C:/x", "./.."];
    const links = verb === "glob" ? [] : ["out/keep.txt", "out/new.txt"];
    for (const path of [...escapes, ...links])
      expect([path, await fs.code(verb, path, ...rest)]).toEqual([path, "ADAPTER_PATH_ESCAPE"]);
    const malformed = ["", "a\0b", "a\\b", "..\\x", "a".repeat(256), "a/".repeat(2050), 7, null, ["a.txt"]];
    for (const path of malformed) {
      if (path === null && verb === "list") continue;
      expect([path, await fs.code(verb, path, ...rest)]).toEqual([path, "ADAPTER_BAD_ARGS"]);
    }
    await fs.end();
    expect(readdirSync(place.at("outside"))).toEqual(["keep.txt"]);
    expect(readFileSync(place.at("outside/keep.txt"), "utf8")).toBe("k");
    expect(readFileSync(place.at("root/a.txt"), "utf8")).toBe("héllo");
  });

  it.each(["copy", "move"])("%s to the outside", async (verb) => {
    symlinkSync("../outside", place.at("root/out"));
    for (const to of ["../outside/n.txt", "/tmp/n.txt", "out/n.txt", "d/../../x"]) {
      expect(await code({}, verb, "a.txt", to)).toBe("ADAPTER_PATH_ESCAPE");
    }
    expect(readdirSync(place.at("outside"))).toEqual(["keep.txt"]);
  });

  it("takes names that only look special", async () => {
    const fs = await fsOn(place.root);
    for (const name of ["%2e%2e", "...", "~", "-rf", "a b", "é".repeat(127), "__proto__", "con", "x\n", "$(id)"]) {
      await fs.call("write", name, name);
      expect(await fs.call("read", name)).toBe(name);
    }
    await fs.end();
  });

  it("tells neither paths nor content in messages", async () => {
    const fs = await fsOn(place.root, { allow_extensions: [".txt"] });
    for (const path of ["zz.txt", "zz/y.txt", "../zz", "zz.sh", "d", "d/b.txt/zz.txt"]) {
      const failure = await fs.call("read", path).catch((thrown: unknown) => thrown);
      expect(String(failure)).not.toMatch(/zz|weft-fs|\/root/);
    }
    await fs.end();
  });
});

describe("arguments", () => {
  const MALFORMED: readonly (readonly [verb: string, args: readonly Json[]])[] = [
    ["read", []],
    ["read", ["a.txt", "b.txt"]],
    ["read", ["a.txt", { encodin: "utf8" }]],
    ["read", ["a.txt", { encoding: "utf16" }]],
    ["read", ["a.txt", { offset: -1 }]],
    ["read", ["a.txt", { length: 1.5 }]],
    ["read", ["a.txt", null, { length: 1 }]],
    ["write", []],
    ["write", ["n.txt", null]],
    ["write", ["n.txt", null, { mode: "append" }]],
    ["write", ["n.txt", "x", { mode: "prepend" }]],
    ["write", ["n.txt", "x", { if_match: "abc" }]],
    ["write", ["n.txt", "not base64!", { encoding: "base64" }]],
    ["write", ["n.txt", { $base64: "?" }]],
    ["write", ["n.txt", 7, { encoding: "base64" }]],
    ["copy", ["a.txt"]],
    ["delete", ["a.txt", true]],
    ["list", [".", { limit: "2" }]],
    ["exists", ["a.txt", {}]],
  ];
  it.each(MALFORMED)("%s %j", async (verb, args) => {
    expect(await code({ allow_delete: true }, verb, ...args)).toBe("ADAPTER_BAD_ARGS");
    expect(readdirSync(place.root).sort()).toEqual(["a.txt", "d"]);
  });

  it("refuses text that has no UTF-8 form", async () => {
    expect(await code({}, "write", "n.txt", "\ud800")).toBe("ADAPTER_ENCODING");
  });
});

describe("things that are not files", () => {
  const CONTENT: readonly (readonly [verb: string, ...rest: Json[]])[] = [
    ["read"],
    ["readlines"],
    ["write", "x"],
    ["write", "x", { mode: "append" }],
    ["copy", "n.txt"],
  ];
  const notFiles = async (path: string): Promise<void> => {
    for (const [verb, ...rest] of CONTENT) expect(await code({}, verb, path, ...rest)).toBe("ADAPTER_NOT_A_FILE");
  };

  it("folders", () => notFiles("d"));

  it("FIFOs", async () => {
    execFileSync("mkfifo", [place.at("root/pipe")]);
    await notFiles("pipe");
    expect(await code({ allow_delete: true }, "delete", "pipe")).toBe("no error");
  });

  it("sockets", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(place.at("root/socket"), resolve));
    await notFiles("socket");
    server.close();
  });

  it("devices", async ({ skip }) => {
    try {
      execFileSync("mknod", [place.at("root/zero"), "c", "1", "5"], { stdio: "ignore" });
    } catch {
      skip("skipped: devices can only be made as root");
    }
    await notFiles("zero");
  });

  it("a sparse file of 1 GB is refused before it is read, a part of it is not", async () => {
    closeSync(openSync(place.at("root/sparse.bin"), "w"));
    truncateSync(place.at("root/sparse.bin"), 1_000_000_000);
    const fs = await fsOn(place.root);
    const probe = await open(place.at("root/sparse.bin"));
    const reads = vi.spyOn(Object.getPrototypeOf(probe), "read");
    await probe.close();
    expect(await fs.code("read", "sparse.bin")).toBe("ADAPTER_TOO_LARGE");
    expect(await fs.code("copy", "sparse.bin", "n.bin")).toBe("ADAPTER_TOO_LARGE");
    expect(reads).not.toHaveBeenCalled();
    expect(await fs.call("read", "sparse.bin", { offset: 999_999_999, encoding: "base64" })).toEqual({
      $base64: "AA==",
    });
    expect(reads).toHaveBeenCalledTimes(1);
    reads.mockRestore();
    await fs.end();
  });
});

describe("an ended call", () => {
  it.each([
    ["read", ["big.bin", { encoding: "base64" }]],
    ["stat", ["big.bin", { sha256: true }]],
    ["copy", ["big.bin", "n.bin"]],
    ["glob", ["**"]],
  ] as const)("%s stops and leaves nothing", async (verb, args) => {
    closeSync(openSync(place.at("root/big.bin"), "w"));
    truncateSync(place.at("root/big.bin"), 60_000_000);
    const settings = { max_read_bytes: 64_000_000, max_write_bytes: 64_000_000 };
    const fs = await fsOn(place.root, settings);
    const controller = new AbortController();
    const call = fs.callUnder(controller.signal, verb, ...args);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    await fs.end();
    // The call itself continues in the background until it checks the signal next.
    await expect.poll(() => readdirSync(place.root).sort()).toEqual(["a.txt", "big.bin", "d"]);
  });
});

describe("leftovers of crashes", () => {
  const left = ".a.txt.6f6cdcdd-0f2c-4a4e-8d26-6e4b1a1a2c11.tmp";
  it("are hidden, and removed after a day", async () => {
    const path = place.put(`root/${left}`, "half");
    const fs = await fsOn(place.root);
    expect(await fs.call("list")).toEqual(["a.txt", "d"]);
    expect(await fs.call("glob", "**")).toEqual(["a.txt", "d", "d/b.txt"]);
    expect(readdirSync(place.root)).toContain(left);
    const old = Date.now() / 1000 - 86_500;
    utimesSync(path, old, old);
    await fs.call("list");
    expect(readdirSync(place.root)).not.toContain(left);
    await fs.end();
  });

  it("are removed by the first write into their folder, too", async () => {
    const path = place.put(`root/d/${left}`, "half");
    const old = Date.now() / 1000 - 86_500;
    utimesSync(path, old, old);
    const fs = await fsOn(place.root);
    await fs.call("write", "d/n.txt", "x");
    expect(readdirSync(place.at("root/d")).sort()).toEqual(["b.txt", "n.txt"]);
    await fs.end();
  });

  it("a name of 255 bytes is written like any other", async () => {
    const fs = await fsOn(place.root);
    for (const name of ["x".repeat(255), `x${"é".repeat(127)}`]) {
      expect(await fs.call("write", name, "1")).toEqual({ ok: true, bytes: 1 });
      expect(await fs.call("read", name)).toBe("1");
    }
    await fs.end();
  });
});

describe("faults of the system", () => {
  let program: ChildProgram;
  beforeAll(async () => {
    program = await childProgram(`
      import { fsAdapter } from "./adapters/builtin/fs/definition.ts";
      import { openBench } from "./test/support/adapter-bench.ts";
      const [root, calls] = process.argv.slice(2);
      const fs = await openBench(fsAdapter, { settings: { sandbox_root: root, allow_delete: true } });
      const codes = [];
      for (const [verb, ...args] of JSON.parse(calls)) codes.push(await fs.code(verb, ...args));
      console.log(JSON.stringify(codes));
    `);
  });
  afterAll(() => program.remove());

  it("refusals of the operating system, as an unprivileged user", async () => {
    chmodSync(place.folder, 0o755);
    chmodSync(place.root, 0o755);
    place.put("root/locked.txt", "x");
    chmodSync(place.at("root/locked.txt"), 0o000);
    place.put("root/closed/x.txt", "x");
    chmodSync(place.at("root/closed"), 0o000);
    const calls = [
      ["read", "a.txt"],
      ["read", "locked.txt"],
      ["list", "closed"],
      ["read", "closed/x.txt"],
      ["glob", "**"],
      ["write", "n.txt", "x"],
      ["write", "a.txt", "x"],
      ["write", "locked.txt", "x", { mode: "append" }],
      ["mkdir", "n"],
      ["move", "a.txt", "n.txt"],
      ["delete", "a.txt"],
    ];
    if (process.getuid?.() !== 0) chmodSync(place.root, 0o555);
    const { output, code } = await program.run([place.root, JSON.stringify(calls)], "nobody");
    chmodSync(place.root, 0o755);
    chmodSync(place.at("root/closed"), 0o755);
    expect(code).toBe(0);
    const denied = "ADAPTER_NOT_ALLOWED";
    const forbidden = Array.from({ length: 6 }, () => "ADAPTER_WRITE_FORBIDDEN");
    expect(JSON.parse(output)).toEqual(["no error", denied, denied, denied, denied, ...forbidden]);
  });

  it("a full disk", async ({ skip }) => {
    const disk = place.at("root/disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k,mode=777", "weft-test", disk], { stdio: "ignore" });
    } catch {
      skip("skipped: no right to mount a small tmpfs");
    }
    try {
      const fs = await fsOn(place.root);
      await fs.call("write", "disk/kept.txt", "before");
      const large = "x".repeat(300_000);
      expect(await fs.code("write", "disk/kept.txt", large)).toBe("ADAPTER_QUOTA");
      expect(await fs.code("write", "disk/new.txt", large)).toBe("ADAPTER_QUOTA");
      expect(await fs.call("list", "disk")).toEqual(["kept.txt"]);
      expect(readdirSync(disk)).toEqual(["kept.txt"]);
      expect(await fs.call("read", "disk/kept.txt")).toBe("before");
      expect(await fs.code("write", "disk/log.txt", large, { mode: "append" })).toBe("ADAPTER_QUOTA");
      expect(await fs.code("move", "a.txt", "disk/a.txt")).toBe("ADAPTER_CONFLICT");
      await fs.end();
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

describe("a process killed while it writes", () => {
  it("leaves the old content, and no name that a listing shows", async () => {
    const program = await childProgram(`
      import { portionsOf, replaceFile } from "./adapters/guard/files/write.ts";
      import { openRoot } from "./adapters/guard/files/path.ts";
      import { atPlace } from "./adapters/guard/files/walk.ts";
      const [root, moment] = process.argv.slice(2);
      const call = { signal: new AbortController().signal, uuid: () => crypto.randomUUID(), now: () => Date.now() };
      const die = () => process.kill(process.pid, "SIGKILL");
      function* bytes() { yield* portionsOf(Buffer.alloc(200_000, "n")); if (moment === "bytes") die(); }
      const below = await openRoot(root, { setting: "root", stateDir: null, create: false });
      await atPlace(below, ["a.txt"], { purpose: "write" }, (place) =>
        replaceFile(place, bytes(), call, { create: false, beforeSwap: async () => { if (moment === "swap") die(); } }));
      die();
    `);
    for (const [moment, content] of [
      ["bytes", "héllo"],
      ["swap", "héllo"],
      ["end", "n".repeat(200_000)],
    ] as const) {
      expect(await program.run([place.root, moment])).toMatchObject({ signal: "SIGKILL" });
      const fs = await fsOn(place.root);
      expect(await fs.call("read", "a.txt")).toBe(content);
      expect(await fs.call("list")).toEqual(["a.txt", "d"]);
      await fs.end();
    }
    // Two of the three left a temporary file.
    expect(readdirSync(place.root)).toHaveLength(4);
    program.remove();
  });
});
