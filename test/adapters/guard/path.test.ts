/** Which texts are paths, and which folders may be a root. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRoot, parsePath, type RootOptions } from "../../../adapters/guard/files/path.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";

function codeOf(action: () => unknown): string {
  try {
    action();
    return "no error";
  } catch (thrown) {
    return thrown instanceof AdapterError ? thrown.code : String(thrown);
  }
}

describe("paths", () => {
  it.each([
    ["a/b.txt", ["a", "b.txt"]],
    ["./a//b/", ["a", "b"]],
    [".", []],
    ["./.", []],
    ["%2e%2e/a", ["%2e%2e", "a"]],
    ["...", ["..."]],
    ["a..b", ["a..b"]],
    [" ", [" "]],
    ["~/x", ["~", "x"]],
    ["ab:c", ["ab:c"]],
    ["é".repeat(127), ["é".repeat(127)]],
  ])("%j", (text, segments) => {
    expect(parsePath(text)).toEqual(segments);
  });

  it.each([
    ["", "ADAPTER_BAD_ARGS"],
    ["a\0b", "ADAPTER_BAD_ARGS"],
    ["a\\b", "ADAPTER_BAD_ARGS"],
    ["..\\..\\etc", "ADAPTER_BAD_ARGS"],
    ["\ud800", "ADAPTER_BAD_ARGS"],
    ["a".repeat(256), "ADAPTER_BAD_ARGS"],
    ["é".repeat(128), "ADAPTER_BAD_ARGS"],
    ["a/".repeat(2049), "ADAPTER_BAD_ARGS"],
    ["/", "ADAPTER_PATH_ESCAPE"],
    ["/etc/passwd", "ADAPTER_PATH_ESCAPE"],
    ["//a", "ADAPTER_PATH_ESCAPE"],
    ["C:", "ADAPTER_PATH_ESCAPE"],
    ["a:b", "ADAPTER_PATH_ESCAPE"],
    ["c:/windows", "ADAPTER_PATH_ESCAPE"],
    ["..", "ADAPTER_PATH_ESCAPE"],
    ["a/../b", "ADAPTER_PATH_ESCAPE"],
    ["a/..", "ADAPTER_PATH_ESCAPE"],
    ["./..//x", "ADAPTER_PATH_ESCAPE"],
  ])("refuses %j", (text, code) => {
    expect(codeOf(() => parsePath(text))).toBe(code);
  });

  it("never yields a part that leads elsewhere", () => {
    const parts = fc.constantFrom("..", ".", "", "/", "a", "\\", "\0", "C:", "%2e%2e", "\u2024\u2024", "．．");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (texts) => {
        let segments: readonly string[];
        try {
          segments = parsePath(texts.join("/"));
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AdapterError);
          return;
        }
        for (const segment of segments) expect(segment).not.toMatch(/^\.{0,2}$|[/\\\0]/);
      }),
    );
  });
});

describe("roots", () => {
  let folder: string;
  const options: RootOptions = { setting: "place", stateDir: null, create: false };
  const open = (path: string, more: Partial<RootOptions> = {}) => openRoot(path, { ...options, ...more });
  const code = (path: string, more: Partial<RootOptions> = {}): Promise<string> =>
    open(path, more).then(
      () => "no error",
      (thrown: unknown) => (thrown instanceof AdapterError ? thrown.code : String(thrown)),
    );

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "weft-root-")));
    mkdirSync(join(folder, "state/data"), { recursive: true });
    mkdirSync(join(folder, "data/sub"), { recursive: true });
    mkdirSync(join(folder, "outside"));
    writeFileSync(join(folder, "file"), "");
    symlinkSync("/", join(folder, "to-root"));
    symlinkSync(userInfo().homedir, join(folder, "to-home"));
    symlinkSync("state", join(folder, "to-state"));
    symlinkSync("loop", join(folder, "loop"));
    symlinkSync("data", join(folder, "to-data"));
    symlinkSync("../outside", join(folder, "data/leaves"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(["/", "//", "/.", "/tmp/..", "/root", "/home", "/home/someone", "/Users/someone", "relative", "."])(
    "must not be %s",
    async (path) => {
      expect(await code(path)).toBe("ADAPTER_BAD_SETTINGS");
    },
  );

  it.each(["to-root", "to-home", "file", "nosuch/../to-root"])("must not be %s", async (path) => {
    expect(await code(`${folder}/${path}`)).toBe("ADAPTER_BAD_SETTINGS");
  });

  it.each(["loop", "loop/x", "file/x", "file"])("%s leads to no folder, so none is made", async (path) => {
    expect(await code(`${folder}/${path}`, { create: true })).toBe("ADAPTER_BAD_SETTINGS");
  });

  it("is neither the state directory nor around it, but may be inside", async () => {
    const stateDir = join(folder, "state");
    for (const path of ["state", "to-state", ".", "state/data/.."]) {
      expect(await code(`${folder}/${path}`, { stateDir })).toBe("ADAPTER_BAD_SETTINGS");
    }
    expect(await code(`${folder}/state/data`, { stateDir })).toBe("no error");
    expect(await code(folder, { stateDir: join(folder, "not/yet/there") })).toBe("ADAPTER_BAD_SETTINGS");
    expect(await code(`${folder}/data`, { stateDir: join(folder, "to-data/sub") })).toBe("ADAPTER_BAD_SETTINGS");
  });

  it("really lies in its bound when it is written there", async () => {
    const within = join(folder, "data");
    expect(await code(`${folder}/data/sub`, { within })).toBe("no error");
    expect(await code(`${folder}/data/leaves`, { within })).toBe("ADAPTER_BAD_SETTINGS");
    expect(await code(`${folder}/data/leaves/deeper`, { within, create: true })).toBe("ADAPTER_BAD_SETTINGS");
    expect(existsSync(join(folder, "outside/deeper"))).toBe(false);
    expect(await code(`${folder}/outside`, { within })).toBe("no error");
    expect(await code(`${folder}/to-data/sub`, { within: join(folder, "to-data") })).toBe("no error");
  });

  it("is made when asked for, private", async () => {
    expect(await code(`${folder}/new/deep`)).toBe("ADAPTER_NOT_CONFIGURED");
    const root = await open(`${folder}/new/deep`, { create: true });
    expect(root.real).toBe(join(folder, "new/deep"));
    expect(statSync(root.real).mode & 0o777).toBe(0o700);
    expect(root.worldWritable).toBe(false);
  });

  it("is resolved once", async () => {
    expect((await open(`${folder}/to-data`)).real).toBe(join(folder, "data"));
  });
});
