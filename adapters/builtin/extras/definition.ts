/**
 * The extras adapter: facts about the machine the runner sits on (docs/adapters/extras.md). This file declares its verbs;
 * the other files of this folder implement one kind of probe each.
 */
import { arg, defineAdapter, verbsFor, z } from "../../definition/define.ts";
import { givenObject } from "../../store/names.ts";
import { changedAt } from "../fs/reading.ts";
import { containerFacts, containerName, imageFacts, imageName } from "./containers.ts";
import { disk, fileExists, newestFile } from "./files.ts";
import { readMetrics, writeMetrics } from "./metrics.ts";
import { httpStatus, tlsExpiry } from "./network.ts";
import { type ExtrasInstance, extrasInstance, extrasSettings } from "./settings.ts";

const verb = verbsFor<typeof extrasSettings, ExtrasInstance>();

const probing = {
  effect: "io-read",
  kind: "tool",
  determinism: "external",
  timeoutMs: 5_000,
  maxTimeoutMs: 15_000,
} as const;
const overNetwork = { ...probing, kind: "http" } as const;

const path = arg("path", z.string(), { role: "path" });
const folder = arg("folder", z.string(), { role: "path" });
const count = z.number().nonnegative();
const time = z.iso.datetime();
/** What verbs with a plain answer give when the operator set `compat`. */
const flag = z.union([z.literal(0), z.literal(1)]);
const counts = z.record(z.string(), z.number());
const OF_PATHS = ["ADAPTER_NOT_FOUND", "ADAPTER_PATH_ESCAPE", "ADAPTER_NOT_A_DIRECTORY"] as const;
const OF_HOSTS = ["ADAPTER_BAD_URL", "ADAPTER_HOST_BLOCKED", "ADAPTER_ADDRESS_BLOCKED"] as const;

function asFlag(truth: boolean): 0 | 1 {
  return truth ? 1 : 0;
}

export const extrasAdapter = defineAdapter<typeof extrasSettings, ExtrasInstance>({
  apiVersion: 1,
  concurrent: true,
  name: "extras",
  version: "1.0.0",
  summary: "Facts about the machine: files, disks, web servers, certificates, containers, metrics.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  needs: ["files", "http"],
  settings: extrasSettings,
  aliases: { docker_image_exists: "container_image_exists" },
  open: ({ settings, host }) => extrasInstance(settings, host),
  close: (instance) => instance.close(),
  verbs: {
    file_exists: verb({
      ...probing,
      summary: "Whether there is a file or folder, and what it is.",
      args: z.tuple([path]),
      options: z.strictObject({ executable: z.boolean().default(false) }),
      result: z
        .union([
          flag,
          z.strictObject({
            exists: z.boolean(),
            type: z.string().nullable(),
            size: count.nullable(),
            mtime: time.nullable(),
          }),
        ])
        .describe("`{exists, type, size, mtime}`; type is `file`, `directory` or `other`"),
      errors: OF_PATHS,
      examples: [
        {
          source: 'R extras.file_exists "backup/none.bak" ->f',
          result: { exists: false, type: null, size: null, mtime: null },
        },
      ],
      async run({ args: [path], options, ...call }) {
        const facts = await fileExists(path, options.executable, call);
        return call.settings.compat ? asFlag(facts.exists) : facts;
      },
    }),
    newest_file: verb({
      ...probing,
      summary: "The file of a folder that was changed last.",
      args: z.tuple([folder]),
      options: z.strictObject({ pattern: z.string().default("*") }),
      result: z.strictObject({
        found: z.boolean(),
        name: z.string().nullable(),
        mtime: time.nullable(),
        age_s: z.number().nullable(),
        size: count.nullable(),
      }),
      errors: OF_PATHS,
      examples: [
        {
          source: 'R extras.newest_file "backup" {"pattern": "*.tar"} ->f',
          result: { found: false, name: null, mtime: null, age_s: null, size: null },
        },
      ],
      async run({ args: [folder], options, ...call }) {
        const newest = await newestFile(folder, options.pattern, call);
        if (newest === null) return { found: false, name: null, mtime: null, age_s: null, size: null };
        const { name, facts } = newest;
        const age = Math.max(0, Math.round(call.ctx.now() - facts.mtimeMs)) / 1000;
        return { found: true, name, mtime: changedAt(facts), age_s: age, size: facts.size };
      },
    }),
    newest_backup_mtime: verb({
      ...probing,
      summary: "When the newest `*.bak` of a folder was changed, in seconds since 1970; 0 without any.",
      args: z.tuple([folder]),
      result: z.number(),
      errors: OF_PATHS,
      examples: [{ source: 'R extras.newest_backup_mtime "backup" ->at', result: 0 }],
      async run({ args: [folder], ...call }) {
        const newest = await newestFile(folder, "*.bak", call);
        return newest === null ? 0 : Math.floor(newest.facts.mtimeMs / 1000);
      },
    }),
    disk: verb({
      ...probing,
      summary: "Size and free bytes of the file system on which a path lies.",
      args: z.tuple([path]),
      result: z
        .strictObject({ total: count, free: count, used_ratio: count.nullable() })
        .describe(
          "`{total, free, used_ratio}`: bytes of the file system, and bytes an ordinary process may still fill",
        ),
      errors: OF_PATHS,
      examples: [{ source: 'R extras.disk "." ->d', result: { total: 1000, free: 250, used_ratio: 0.75 } }],
      run: ({ args: [path], ...call }) => disk(path, call),
    }),
    http_status: verb({
      ...overNetwork,
      summary: "What a web server answers, and how fast.",
      args: z.tuple([arg("url", z.string(), { role: "url" })]),
      options: z.strictObject({
        timeout_s: z.number().positive().max(15).optional(),
        method: z.enum(["HEAD", "GET"]).default("HEAD"),
      }),
      result: z
        .union([
          flag,
          z.strictObject({
            ok: z.boolean(),
            status: z.number().nullable(),
            latency_ms: count,
            error: z.string().nullable(),
          }),
        ])
        .describe("`{ok, status, latency_ms, error}`; ok is a status below 400, after redirects"),
      errors: OF_HOSTS,
      examples: [
        {
          source: 'R extras.http_status "https://example.com/health" ->h',
          result: { ok: true, status: 200, latency_ms: 41, error: null },
        },
      ],
      async run({ args: [url], options, ...call }) {
        const facts = await httpStatus(url, options.method, call);
        return call.settings.compat ? asFlag(facts.ok) : facts;
      },
    }),
    tls_expiry: verb({
      ...overNetwork,
      summary: "Until when the certificate of a server is valid.",
      args: z.tuple([
        arg("host", z.string().min(1).max(253), { role: "host" }),
        arg("port", z.number().int().min(1).max(65_535).optional()),
      ]),
      result: z
        .strictObject({ valid_to: time, days_left: z.number().int() })
        .describe("`{valid_to, days_left}`, negative when it is over; who signed the certificate is not asked"),
      errors: OF_HOSTS,
      examples: [
        {
          source: 'R extras.tls_expiry "example.com" ->t',
          result: { valid_to: "2030-01-31T00:00:00.000Z", days_left: 30 },
        },
      ],
      run: ({ args: [host, port = 443], ...call }) => tlsExpiry(host, port, call),
    }),
    container_image_exists: verb({
      ...probing,
      summary: "Whether the container engine has an image.",
      args: z.tuple([arg("image", imageName)]),
      result: z
        .union([flag, z.strictObject({ exists: z.boolean(), id: z.string().nullable() })])
        .describe("`{exists, id}`"),
      examples: [
        {
          source: 'R extras.container_image_exists "registry.example/app:1" ->i',
          result: { exists: false, id: null },
        },
      ],
      async run({ args: [image], ...call }) {
        const facts = await imageFacts(image, call);
        return call.settings.compat ? asFlag(facts.exists) : facts;
      },
    }),
    container_status: verb({
      ...probing,
      summary: "How a container is.",
      args: z.tuple([arg("name", containerName)]),
      result: z.strictObject({
        state: z.string(),
        health: z.string().nullable(),
        started_at: time.nullable(),
        restarts: count,
      }),
      errors: ["ADAPTER_NOT_FOUND"],
      examples: [
        {
          source: 'R extras.container_status "web" ->c',
          result: { state: "running", health: "healthy", started_at: "2030-01-01T00:00:00.000Z", restarts: 0 },
        },
      ],
      run: ({ args: [name], ...call }) => containerFacts(name, call),
    }),
    metrics: verb({
      ...probing,
      summary: "The counters of a summary of runs.",
      args: z.tuple([path]),
      result: z.strictObject({
        run_count: z.number(),
        ok_count: z.number(),
        error_count: z.number(),
        ok_ratio: z.number().nullable(),
        runtime_versions: z.array(z.unknown()),
        result_kinds: counts,
        trace_op_counts: counts,
        label_counts: counts,
        timestamps_present: z.boolean(),
      }),
      errors: [...OF_PATHS, "ADAPTER_NOT_A_FILE"],
      run: ({ args: [path], ...call }) => readMetrics(path, call),
    }),
    metrics_write: verb({
      ...probing,
      summary: "Writes a summary of runs, for Prometheus too when asked.",
      effect: "io-write",
      idempotent: true,
      destructive: false,
      args: z.tuple([arg("name", z.string()), arg("object", givenObject())]),
      options: z.strictObject({ prometheus: z.boolean().default(false) }),
      result: z.strictObject({ ok: z.literal(true), bytes: count }),
      errors: ["ADAPTER_PATH_ESCAPE", "ADAPTER_NOT_A_DIRECTORY", "ADAPTER_NOT_A_FILE", "ADAPTER_WRITE_FORBIDDEN"],
      examples: [{ source: 'R extras.metrics_write "daily" {"run_count": 3} ->w', result: { ok: true, bytes: 16 } }],
      async run({ args: [name, object], options, ...call }) {
        return { ok: true, bytes: await writeMetrics(name, object, options.prometheus, call) };
      },
    }),
  },
});
