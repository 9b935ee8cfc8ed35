/**
 * The fs adapter: files below one root (docs/adapters/fs.md). This file declares its verbs;
 * the other files of this folder implement them, and `guard/` keeps paths inside the root.
 */
import type { Json } from "../../../compiler/json.ts";
import { arg, defineAdapter, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { openRoot } from "../../guard/files/path.ts";
import { boundOf, opened, reservedFor } from "../../guard/files/reserved.ts";
import { glob, list } from "./listing.ts";
import { exists, read, readLines, stat } from "./reading.ts";
import { move, remove } from "./removing.ts";
import { type FsInstance, fsSettings, MAX_FILE_BYTES } from "./settings.ts";
import { copy, mkdir, write } from "./writing.ts";

const verb = verbsFor<typeof fsSettings, FsInstance>();

/** Every byte of a file may become an escape of six in JSON. */
const MAX_TEXT_BYTES = 6 * MAX_FILE_BYTES + 1024;
const MAX_LISTING_BYTES = 64 * 1024 * 1024;

const path = arg("path", z.string(), { role: "path" });
const from = arg("from", z.string(), { role: "path" });
const to = arg("to", z.string(), { role: "path" });
/** Anything but null: a variable that was never filled must not empty a file. */
const content = arg(
  "content",
  z.custom<Json>((value) => value !== null && value !== undefined, "content other than null"),
);
const count = z.number().int().nonnegative();
const time = z.iso.datetime();
const ok = z.strictObject({ ok: z.literal(true) });
const written = ok.extend({ bytes: count });
const facts = z.strictObject({ type: z.enum(["file", "directory", "symlink", "other"]), size: count, mtime: time });

const reading = {
  effect: "io-read",
  kind: "fs",
  determinism: "state",
  timeoutMs: 10_000,
  maxTimeoutMs: 60_000,
} as const;
const writing = { ...reading, effect: "io-write" } as const;
const OF_PATHS = ["ADAPTER_PATH_ESCAPE", "ADAPTER_NOT_A_DIRECTORY"] as const;
const OF_FILES = [...OF_PATHS, "ADAPTER_NOT_A_FILE", "ADAPTER_EXTENSION_BLOCKED"] as const;
const OF_WRITES = [...OF_FILES, "ADAPTER_WRITE_FORBIDDEN"] as const;

export const fsAdapter = defineAdapter<typeof fsSettings, FsInstance>({
  apiVersion: 1,
  concurrent: true,
  name: "fs",
  version: "1.0.0",
  summary: "Files below one folder.",
  support: "core",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: true,
  maturity: "beta",
  needs: ["files"],
  settings: fsSettings,
  settingAliases: { root: "sandbox_root" },
  async open({ settings, host }) {
    const { dataRoot, stateDir, granted, reserved } = host.places;
    const root = settings.sandbox_root ?? dataRoot;
    if (root === null)
      throw adapterError("ADAPTER_BAD_SETTINGS", "sandbox_root is not set, and no data root is configured");
    const within = boundOf(root, granted?.get("fs.sandbox_root"), dataRoot);
    const kept = reserved === undefined ? {} : { reserved: await reservedFor(reserved, "fs"), open: opened(dataRoot) };
    return {
      root: await openRoot(root, { setting: "sandbox_root", stateDir, within, create: true, ...kept }),
      settings,
      written: 0,
    };
  },
  verbs: {
    read: verb({
      ...reading,
      summary: "The content of a file, as text or bytes.",
      args: z.tuple([path]),
      options: z.strictObject({
        encoding: z.enum(["utf8", "latin1", "base64"]).default("utf8"),
        offset: count.default(0),
        length: count.optional(),
        lossy: z.boolean().default(false),
        keep_bom: z.boolean().default(false),
      }),
      result: z.union([z.string(), z.strictObject({ $base64: z.string() })]).describe("text; with base64 `{$base64}`"),
      maxResultBytes: MAX_TEXT_BYTES,
      errors: [...OF_FILES, "ADAPTER_ENCODING"],
      examples: [{ source: 'R fs.read "notes.txt" ->text', result: "first\nsecond\n" }],
      run: ({ args: [path], options, ...call }) => read(path, options, call),
    }),
    readlines: verb({
      ...reading,
      summary: "The lines of a text file, without their ends.",
      args: z.tuple([path]),
      options: z.strictObject({ max_lines: count.optional() }),
      result: z.array(z.string()).describe("lines without their ends; with `max_lines` the first ones"),
      maxResultBytes: MAX_TEXT_BYTES,
      errors: [...OF_FILES, "ADAPTER_ENCODING"],
      examples: [{ source: 'R fs.readlines "notes.txt" ->lines', result: ["first", "second"] }],
      run: ({ args: [path], options, ...call }) => readLines(path, options.max_lines, call),
    }),
    write: verb({
      exact: true,
      ...writing,
      summary: "Writes a file as a whole, or adds to its end.",
      idempotent: true,
      args: z.tuple([path, content]),
      forms: [z.tuple([path])],
      options: z.strictObject({
        mode: z.enum(["replace", "create", "append"]).default("replace"),
        encoding: z.enum(["utf8", "base64"]).default("utf8"),
        if_match: z
          .string()
          .regex(/^([0-9a-fA-F]{64})?$/, "a sha256, or an empty text")
          .optional(),
      }),
      result: written,
      errors: [...OF_WRITES, "ADAPTER_ENCODING"],
      examples: [{ source: 'R fs.write "out/report.txt" "done" ->w', result: { ok: true, bytes: 4 } }],
      // The second form has no content, which makes an empty file.
      run: ({ args: [path, content], options, ...call }) => write(path, content, options, call),
    }),
    list: verb({
      ...reading,
      summary: "What is in a folder, sorted; nothing for a missing one.",
      args: z.tuple([arg("path", z.string().optional(), { role: "path" })]),
      options: z.strictObject({
        details: z.boolean().default(false),
        recursive: z.boolean().default(false),
        limit: count.optional(),
      }),
      result: z
        .array(z.union([z.string(), facts.extend({ name: z.string() })]))
        .describe("sorted names, none for a missing folder; with `details` `[{name, type, size, mtime}]`"),
      maxResultBytes: MAX_LISTING_BYTES,
      errors: OF_PATHS,
      examples: [{ source: 'R fs.list "docs" ->names', result: ["a.md", "b.md"] }],
      run: ({ args: [path], options, ...call }) => list(path ?? ".", options, call),
    }),
    glob: verb({
      ...reading,
      summary: "Paths that fit a pattern of `*`, `?` and `**`, sorted.",
      args: z.tuple([arg("pattern", z.string(), { role: "path" })]),
      options: z.strictObject({ limit: count.optional() }),
      result: z.array(z.string()).describe("sorted paths of files and folders"),
      maxResultBytes: MAX_LISTING_BYTES,
      errors: OF_PATHS,
      examples: [{ source: 'R fs.glob "**/*.md" ->paths', result: ["docs/a.md", "docs/b.md"] }],
      run: ({ args: [pattern], options, ...call }) => glob(pattern, options.limit, call),
    }),
    exists: verb({
      ...reading,
      summary: "Whether there is a file or folder.",
      args: z.tuple([path]),
      result: z.boolean(),
      errors: OF_PATHS,
      examples: [{ source: 'R fs.exists "notes.txt" ->there', result: true }],
      run: ({ args: [path], ...call }) => exists(path, call),
    }),
    stat: verb({
      ...reading,
      summary: "Type, size and time of a file or folder.",
      args: z.tuple([path]),
      options: z.strictObject({ sha256: z.boolean().default(false) }),
      result: facts.extend({ sha256: z.string().optional() }),
      errors: OF_FILES,
      run: ({ args: [path], options, ...call }) => stat(path, options, call),
    }),
    mkdir: verb({
      ...writing,
      summary: "Makes a folder and those above it.",
      destructive: false,
      idempotent: true,
      args: z.tuple([path]),
      result: ok.describe("`{ok}`; folders above it are made, and a folder that exists is fine"),
      errors: [...OF_PATHS, "ADAPTER_WRITE_FORBIDDEN"],
      examples: [{ source: 'R fs.mkdir "out/today" ->m', result: { ok: true } }],
      run: ({ args: [path], ...call }) => mkdir(path, call),
    }),
    copy: verb({
      ...writing,
      summary: "Copies a file.",
      idempotent: false,
      args: z.tuple([from, to]),
      options: z.strictObject({ overwrite: z.boolean().default(false) }),
      result: written,
      errors: OF_WRITES,
      examples: [{ source: 'R fs.copy "notes.txt" "out/copy.txt" ->c', result: { ok: true, bytes: 13 } }],
      run: ({ args: [from, to], options, ...call }) => copy(from, to, options.overwrite, call),
    }),
    move: verb({
      ...writing,
      summary: "Gives a file or folder another name or place.",
      idempotent: false,
      args: z.tuple([from, to]),
      options: z.strictObject({ overwrite: z.boolean().default(false) }),
      result: ok,
      errors: OF_WRITES,
      examples: [{ source: 'R fs.move "docs/a.md" "docs/c.md" ->m', result: { ok: true } }],
      run: ({ args: [from, to], options, ...call }) => move(from, to, options.overwrite, call),
    }),
    delete: verb({
      ...writing,
      summary: "Deletes a file, or a folder with what is in it.",
      idempotent: false,
      args: z.tuple([path]),
      options: z.strictObject({ recursive: z.boolean().default(false) }),
      result: ok.extend({ deleted: z.boolean() }).describe("`{ok, deleted}`; deleted is false when there was nothing"),
      errors: [...OF_WRITES, "ADAPTER_DELETE_FORBIDDEN"],
      examples: [
        {
          source: 'R fs.delete "notes.txt" ->d',
          settings: { allow_delete: true },
          result: { ok: true, deleted: true },
        },
      ],
      run: ({ args: [path], options, ...call }) => remove(path, options.recursive, call),
    }),
  },
});
