/** Walks below a root: links, things that are no files, and folders that change while they are walked. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFile } from "../../../adapters/guard/file-read.ts";
import { portionsOf, replaceFile } from "../../../adapters/guard/file-write.ts";
import { type FileRoot, openRoot, parsePath } from "../../../adapters/guard/path.ts";
import { atPlace } from "../../../adapters/guard/place.ts";
import { AdapterError } from "../../../vm/errors.ts";
import { type Scratch, scratch } from "../fs/scratch.ts";

const never = new AbortController().signal;
const call = { signal: never, uuid: () => crypto.randomUUID(), now: () => Date.now() };

let place: Scratch;
let root: FileRoot;

beforeAll(async () => {
  place = scratch();
  place.put("outside/secret.txt", "outside");
  place.put("root/real/x.txt", "inside");
  const link = (path: string, target: string): void => symlinkSync(target, place.at(`root/${path}`));
  link("file", "real/x.txt");
  link("folder", "real");
  link("absolute", place.at("root/real"));
  link("chain1", "chain2");
  link("chain2", "folder");
  link("real/up", "..");
  link("loop1", "loop2");
  link("loop2", "loop1");
  link("self", "self");
  link("dangling", "nosuch");
  link("dangling-deep", "nosuch/deeper");
  link("out-file", "../outside/secret.txt");
  link("out-folder", "../outside");
  link("out-absolute", place.at("outside"));
  link("out-chain", "out-folder");
  link("out-dangling", "../outside/nosuch");
  link("out-and-back", "../root/real");
  link("etc", "/etc");
  link("top", "/");
  root = await openRoot(place.root, { setting: "root", stateDir: null, create: false });
});
afterAll(() => place.remove());

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : "done"),
    (thrown: unknown) => (thrown instanceof AdapterError ? thrown.code : String(thrown)),
  );
const reading = (path: string, from = root): Promise<string> => outcome(readFile(from, path, 100, never));
const writing = (path: string, from = root, make = true): Promise<string> =>
  outcome(
    atPlace(from, parsePath(path), { purpose: "write", make }, (target) =>
      replaceFile(target, portionsOf(Buffer.from("new")), call, { create: false }),
    ),
  );

const LINKS = [
  ["file", "inside"],
  ["folder/x.txt", "inside"],
  ["absolute/x.txt", "inside"],
  ["chain1/x.txt", "inside"],
  ["folder/up/chain1/up/real/x.txt", "inside"],
  ["out-and-back/x.txt", "inside"],
  ["folder", "ADAPTER_NOT_A_FILE"],
  ["file/x", "ADAPTER_NOT_A_DIRECTORY"],
  ["loop1", "ADAPTER_PATH_ESCAPE"],
  ["self/x", "ADAPTER_PATH_ESCAPE"],
  ["dangling", "ADAPTER_NOT_FOUND"],
  ["dangling-deep/x", "ADAPTER_NOT_FOUND"],
  ["out-file", "ADAPTER_PATH_ESCAPE"],
  ["out-folder/secret.txt", "ADAPTER_PATH_ESCAPE"],
  ["out-absolute/secret.txt", "ADAPTER_PATH_ESCAPE"],
  ["out-chain/secret.txt", "ADAPTER_PATH_ESCAPE"],
  ["out-dangling", "ADAPTER_PATH_ESCAPE"],
  ["etc/passwd", "ADAPTER_PATH_ESCAPE"],
  ["top/etc/passwd", "ADAPTER_PATH_ESCAPE"],
] as const;

describe.each([
  ["by descriptor", true],
  ["by path", false],
] as const)("links, reached %s", (_, byDescriptor) => {
  const under = (): FileRoot => ({ ...root, byDescriptor: byDescriptor && root.byDescriptor });

  it.each(LINKS)("read %s: %s", async (path, expected) => {
    expect(await reading(path, under())).toBe(expected);
  });

  it.each(["out-file", "out-folder/new.txt", "out-chain/new.txt", "out-dangling", "etc/new.txt", "loop1/new.txt"])(
    "write %s",
    async (path) => {
      expect(await writing(path, under())).toBe("ADAPTER_PATH_ESCAPE");
      expect(readdirSync(place.at("outside"))).toEqual(["secret.txt"]);
    },
  );

  it("writes through a link to the inside", async () => {
    place.put("root/real/w.txt", "old");
    expect(await writing("chain1/w.txt", under())).toBe("done");
    expect(await reading("real/w.txt", under())).toBe("new");
  });

  it("reads a file of many names: a hard link is a file of the root", async () => {
    linkSync(place.at("root/real/x.txt"), place.at(`root/hard-${byDescriptor}`));
    expect(await reading(`hard-${byDescriptor}`, under())).toBe("inside");
  });
});

it("refuses everything when the root was replaced", async () => {
  const own = scratch();
  own.put("root/x.txt", "before");
  const opened = await openRoot(own.root, { setting: "root", stateDir: null, create: false });
  renameSync(own.root, own.at("moved"));
  own.put("root/x.txt", "after");
  expect(await reading("x.txt", opened)).toBe("ADAPTER_PATH_ESCAPE");
  own.remove();
});

/** Swaps `root/NAME` for a link to the outside and back, again and again. */
const SWAP = `
  const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
  const [root, name, target, times] = process.argv.slice(1);
  process.chdir(root);
  for (let i = 0; i < Number(times); i++) {
    renameSync(name, ".aside");
    symlinkSync(target, name);
    unlinkSync(name);
    renameSync(".aside", name);
  }
`;
const SWAPS = 10_000;
const HARMLESS = [
  "inside",
  "ADAPTER_NOT_FOUND",
  "ADAPTER_PATH_ESCAPE",
  "ADAPTER_NOT_A_FILE",
  "ADAPTER_NOT_A_DIRECTORY",
];

describe("a part swapped for a link to the outside while it is used", () => {
  async function whileSwapping(name: string, target: string, work: (from: FileRoot) => Promise<string>) {
    const own = scratch();
    own.put("root/d/secret.txt", "inside");
    own.put("root/secret.txt", "inside");
    own.put("outside/secret.txt", "outside");
    const opened = await openRoot(own.root, { setting: "root", stateDir: null, create: false });
    const child = spawn(process.execPath, ["-e", SWAP, own.root, name, target, String(SWAPS)], { stdio: "inherit" });
    const closed = once(child, "close");
    const seen = new Map<string, number>();
    while (child.exitCode === null) {
      const result = await work(opened);
      seen.set(result, (seen.get(result) ?? 0) + 1);
    }
    expect(await closed).toEqual([0, null]);
    const outside = readdirSync(own.at("outside"));
    own.remove();
    return { seen: [...seen.keys()], outside };
  }

  it.each([
    ["a folder", "d", "../outside", "d/secret.txt"],
    ["a file", "secret.txt", "../outside/secret.txt", "secret.txt"],
  ])("read under %s", async (_, name, target, path) => {
    const { seen } = await whileSwapping(name, target, (opened) => reading(path, opened));
    expect(HARMLESS).toEqual(expect.arrayContaining(seen));
    expect(seen).toContain("inside");
  });

  it("read by path", async () => {
    const { seen } = await whileSwapping("d", "../outside", (opened) =>
      reading("d/secret.txt", { ...opened, byDescriptor: false }),
    );
    expect(HARMLESS).toEqual(expect.arrayContaining(seen));
  });

  it.runIf(process.platform === "linux")("write", async () => {
    let files = 0;
    const { outside } = await whileSwapping("d", "../outside", (opened) => {
      files += 1;
      return writing(`d/${files}.txt`, opened, false);
    });
    expect(outside).toEqual(["secret.txt"]);
  });
});

it("lets every folder go", async () => {
  const open = (): number => readdirSync("/proc/self/fd").length;
  if (!root.byDescriptor) return;
  const before = open();
  for (const [path] of LINKS) await reading(path);
  writeFileSync(place.at("root/plain"), "");
  await writing("plain/below");
  expect(open()).toBe(before);
});
