/** Where paths inside of folders lead: out of them, or to one file in them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { confinedPath } from "../../../cli/input/confined-path.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "weft-confined-")));
const root = join(base, "root");
const other = join(base, "other");
for (const folder of [root, other, join(root, "sub")]) mkdirSync(folder);
for (const file of ["root/a", "root/sub/b", "other/c"]) writeFileSync(join(base, file), "");
const LINKS: readonly (readonly [string, string])[] = [
  ["root/to-a", "a"],
  ["root/to-b", "sub/b"],
  ["root/to-sub", "sub"],
  ["root/two-steps", "to-sub/b"],
  ["root/sub/up", "../a"],
  ["root/absolute", join(root, "sub", "b")],
  ["root/out", "../other/c"],
  ["root/to-other", other],
  ["root/out-by-folder", "to-other/c"],
  ["root/out-and-in", "../other/in"],
  ["other/in", join(root, "a")],
  ["root/itself", "."],
  ["root/gone", "nothing"],
  ["root/round", "round"],
];
for (const [link, target] of LINKS) symlinkSync(target, join(base, link));
afterAll(() => rmSync(base, { recursive: true }));

it.each([
  ["a", "a"],
  ["to-a", "a"],
  ["to-b", "sub/b"],
  ["to-sub/b", "sub/b"],
  ["two-steps", "sub/b"],
  ["sub/up", "a"],
  ["absolute", "sub/b"],
])("%s leads to %s", (path, found) => {
  expect(confinedPath(join(root, path), [root])).toBe(join(root, found));
});

it.each(["out", "to-other/c", "out-by-folder", "to-other", "../other/c", "out-and-in", "itself", "."])(
  "%s leads out of the folder",
  (path) => {
    expect(confinedPath(join(root, path), [root])).toBe("outside");
  },
);

it("a link from one of the folders to another stays inside", () => {
  expect(confinedPath(join(root, "out"), [root, other])).toBe(join(other, "c"));
  expect(confinedPath(join(root, "out-and-in"), [other, root])).toBe(join(root, "a"));
});

it.each([
  ["gone", "ENOENT"],
  ["a/below", "ENOENT"],
  ["round", "ELOOP"],
])("%s cannot be examined: %s", (path, code) => {
  const codes = code === "ENOENT" ? ["ENOENT", "ENOTDIR"] : [code];
  expect(() => confinedPath(join(root, path), [root])).toThrow(
    expect.toSatisfy((cause: NodeJS.ErrnoException) => codes.includes(String(cause.code))),
  );
});
