/** Walks below a root: links, things that are not files, and folders that change during the walk. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  constants,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FileRoot, openRoot, parsePath } from "../../../adapters/guard/files/path.ts";
import { readFile } from "../../../adapters/guard/files/read.ts";
import { atPlace, confirmInside, makeFolder, openRegular, type Place } from "../../../adapters/guard/files/walk.ts";
import { portionsOf, replaceFile } from "../../../adapters/guard/files/write.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { type Scratch, scratch } from "../builtin/fs/scratch.ts";

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

describe("links on one way", () => {
  // Two links a round: `folder` leads to `real`, and `up` from there back to the root.
  const way = (links: number): string =>
    `${"folder/up/".repeat(Math.floor(links / 2))}${links % 2 === 1 ? "folder" : "real"}/x.txt`;

  it.each([1, 2, 39, 40])("follows %i", async (links) => {
    expect(await reading(way(links))).toBe("inside");
  });

  it.each([41, 42, 100])("refuses %i", async (links) => {
    expect(await reading(way(links))).toBe("ADAPTER_PATH_ESCAPE");
  });

  it.each([
    ["file", "follow", "real/x.txt, no link"],
    ["file", "keep", "file, a link"],
    ["file", "none", "file, a link"],
    ["folder/x.txt", "follow", "real/x.txt, no link"],
    ["folder/x.txt", "keep", "real/x.txt, no link"],
    ["folder/x.txt", "none", "ADAPTER_PATH_ESCAPE"],
    ["folder/up", "keep", "real/up, a link"],
    ["real/x.txt", "keep", "real/x.txt, no link"],
    ["real/x.txt", "none", "real/x.txt, no link"],
    ["out-file", "keep", "ADAPTER_PATH_ESCAPE"],
    ["out-dangling", "keep", "ADAPTER_PATH_ESCAPE"],
    ["out-file", "none", "out-file, a link"],
    ["self", "keep", "ADAPTER_PATH_ESCAPE"],
    ["dangling", "keep", "dangling, a link"],
    ["file/x", "keep", "ADAPTER_NOT_A_DIRECTORY"],
    ["nosuch/x", "keep", "ADAPTER_NOT_FOUND"],
  ] as const)("%s, links: %s: %s", async (path, links, expected) => {
    const found = atPlace(root, parsePath(path), { purpose: "read", links }, async (one) =>
      Buffer.from(`${one.path.join("/")}, ${one.facts?.isSymbolicLink() === true ? "a" : "no"} link`),
    );
    expect(await outcome(found)).toBe(expected);
  });
});

/** A walk looks twice, because what it looks at may be swapped meanwhile: each look refuses by itself. */
describe("each look by itself", () => {
  const openFiles = (): number => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
  const confirming = async (byDescriptor: boolean, path: string, named: string): Promise<string> => {
    const handle = await open(place.at(path), constants.O_RDONLY);
    try {
      return await outcome(confirmInside({ ...root, byDescriptor }, handle, place.at(named)));
    } finally {
      await handle.close();
    }
  };

  it.each([
    ["root/real", "root/real", "done"],
    ["root/real/x.txt", "root/real/x.txt", "done"],
    ["root", "root", "done"],
    ["outside", "outside", "ADAPTER_PATH_ESCAPE"],
    ["outside/secret.txt", "outside/secret.txt", "ADAPTER_PATH_ESCAPE"],
    ["outside/secret.txt", "root/real/x.txt", "ADAPTER_PATH_ESCAPE"],
  ])("%s, opened under the name %s: %s", async (path, named, expected) => {
    expect(await confirming(false, path, named)).toBe(expected);
    if (root.byDescriptor) expect(await confirming(true, path, named)).toBe(expected);
  });

  it("by path, what is open is what the name leads to, also inside the root", async () => {
    expect(await confirming(false, "root/real/x.txt", "root/real")).toBe("ADAPTER_PATH_ESCAPE");
  });

  it.each(["device", "inode"] as const)("the root is the one that was opened: another %s", async (fact) => {
    expect(await reading("real/x.txt", { ...root, [fact]: root[fact] + 1n })).toBe("ADAPTER_PATH_ESCAPE");
    expect(await reading("real/x.txt", { ...root, [fact]: root[fact] })).toBe("inside");
  });

  /** The place of a name in a folder, as it would be had the folder been swapped after the walk looked at it. */
  async function swapped(folder: string, name: string, work: (found: Place) => Promise<FileHandle>): Promise<string> {
    const handle: FileHandle = await open(place.at(folder), constants.O_RDONLY);
    const real = place.at(folder);
    const found = { root, name, path: [name], facts: undefined };
    try {
      return await outcome(
        work({ ...found, folder: { handle, real, at: (one) => join(real, one) } }).then((file) => file.close()),
      );
    } finally {
      await handle.close();
    }
  }

  it.each([
    ["root/real", "x.txt", "done"],
    ["outside", "secret.txt", "ADAPTER_PATH_ESCAPE"],
    ["root", "real", "ADAPTER_NOT_A_FILE"],
  ])("a file of %s: %s: %s, and nothing stays open", async (folder, name, expected) => {
    const before = openFiles();
    expect(await swapped(folder, name, (found) => openRegular(found, constants.O_RDONLY))).toBe(expected);
    expect(openFiles()).toBe(before);
  });

  it("a link where a file was is not followed", async () => {
    expect(await swapped("root", "file", (found) => openRegular(found, constants.O_RDONLY))).toContain("ELOOP");
  });

  it("what is known to be no file is not opened", async () => {
    const opening = atPlace(root, ["real"], { purpose: "read" }, (found) =>
      openRegular({ ...found, name: "nosuch" }, constants.O_RDONLY),
    );
    expect(await outcome(opening)).toBe("ADAPTER_NOT_A_FILE");
  });

  it("a folder that is renamed while it is held is still the one that is used", async () => {
    place.put("root/held/x.txt", "held");
    const seen = await atPlace(root, ["held", "x.txt"], { purpose: "read" }, async ({ folder }) => {
      renameSync(place.at("root/held"), place.at("root/renamed"));
      return existsSync(folder.at("x.txt")) ? readFileSync(folder.at("x.txt"), "utf8") : "gone";
    });
    expect(seen).toBe(root.byDescriptor ? "held" : "gone");
    const byPath = await atPlace(
      { ...root, byDescriptor: false },
      ["renamed", "x.txt"],
      { purpose: "read" },
      async ({ folder }) => folder.at("x.txt"),
    );
    expect(byPath).toBe(place.at("root/renamed/x.txt"));
  });
});

describe("a folder that is made", () => {
  const making = (name: string, folder = "root"): Promise<string> => {
    const steps: string[] = [];
    const handle = { sync: async () => void steps.push("written down") } as unknown as FileHandle;
    const real = place.at(folder);
    return outcome(
      makeFolder({ handle, real, at: (one) => join(real, one) }, name).then(() => Buffer.from(steps.join())),
    );
  };

  it("belongs to its owner alone, and is written down", async () => {
    expect(await making("made")).toBe("written down");
    expect(statSync(place.at("root/made")).mode & 0o777).toBe(0o700);
  });

  it("may have been made by another meanwhile", async () => {
    expect(await making("real")).toBe("");
  });

  it("cannot be created in a folder that does not exist", async () => {
    expect(await making("nosuch/new")).toContain("ENOENT");
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
