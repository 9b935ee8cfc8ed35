/**
 * The operator's section of svc: services by name, how each is probed, and what may be done to it. Programs only ever say a name, so
 * everything that leads somewhere (addresses, units, commands, files) stands here.
 */
import { type SettingsOf, setting, z } from "../../definition/define.ts";

/** Of one service; all of them are asked at the same time. */
const MAX_PROBES = 8;
const DEFAULT_COOLDOWN_S = 60;

const absolute = z
  .string()
  .startsWith("/")
  .refine((path) => !path.includes("\0"));
const host = z.string().min(1).max(253);
const port = z.number().int().min(1).max(65_535);
const unit = z.string().regex(/^[A-Za-z0-9:_.@\\][A-Za-z0-9:_.@\\-]{0,255}$/, "the name of a systemd unit");
const timing = { timeout_ms: z.number().int().min(1).max(60_000).default(2_000) };

const httpProbe = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  expect_status: z.array(z.number().int()).min(1).default([200]),
  expect_body: z.string().optional(),
  ...timing,
});
const tcpProbe = z.strictObject({ host, port, ...timing });
const tlsProbe = z.strictObject({ host, port, min_days: z.number().nonnegative().default(14), ...timing });
const dnsProbe = z.strictObject({
  name: host,
  type: z.enum(["A", "AAAA", "CNAME", "MX", "NS", "SRV", "TXT"]).default("A"),
  /** `address` or `address:port` of a name server; default: those of the machine. */
  server: z.string().optional(),
  ...timing,
});
const systemdProbe = z.strictObject({ unit, ...timing });
const processProbe = z.strictObject({ pid_file: absolute, ...timing });
const heartbeatProbe = z.strictObject({ file: absolute, max_age_s: z.number().positive(), ...timing });

/** Written with its kind as only member: `{"tcp": {"host": …}}`. */
const probe = z.union(
  [
    z.strictObject({ http: httpProbe }).transform(({ http }) => ({ kind: "http" as const, ...http })),
    z.strictObject({ tcp: tcpProbe }).transform(({ tcp }) => ({ kind: "tcp" as const, ...tcp })),
    z.strictObject({ tls: tlsProbe }).transform(({ tls }) => ({ kind: "tls" as const, ...tls })),
    z.strictObject({ dns: dnsProbe }).transform(({ dns }) => ({ kind: "dns" as const, ...dns })),
    z.strictObject({ systemd: systemdProbe }).transform(({ systemd }) => ({ kind: "systemd" as const, ...systemd })),
    z.strictObject({ process: processProbe }).transform(({ process }) => ({ kind: "process" as const, ...process })),
    z
      .strictObject({ heartbeat: heartbeatProbe })
      .transform(({ heartbeat }) => ({ kind: "heartbeat" as const, ...heartbeat })),
  ],
  "one of http, tcp, tls, dns, systemd, process and heartbeat, with its members",
);
export type Probe = z.output<typeof probe>;
export type ProbeOf<K extends Probe["kind"]> = Extract<Probe, { readonly kind: K }>;

const action = z.union(
  [
    z.strictObject({ systemd: unit }),
    /** The program by its absolute path, and its arguments; no shell reads them. */
    z.strictObject({ argv: z.tuple([absolute], z.string()) }),
  ],
  "a systemd unit, or argv that begins with an absolute path",
);
export type ActionDeclaration = z.output<typeof action>;

export const ACTIONS = ["start", "stop", "restart"] as const;
export type ActionName = (typeof ACTIONS)[number];

const service = z.strictObject({
  probes: z.array(probe).max(MAX_PROBES).default([]),
  degraded_over_ms: z.number().positive().default(500),
  actions: z.partialRecord(z.enum(ACTIONS), action).default({}),
  cooldown_s: z.number().nonnegative().default(DEFAULT_COOLDOWN_S),
});
export type Service = z.output<typeof service>;

export const svcSettings = {
  services: setting.operator(z.record(z.string().min(1), service).default({})).describe("name → service, see below"),
  allow_services: setting.list().describe("services that a run may use"),
  allow_actions: setting
    .allow(true)
    .describe("whether `start`, `stop` and `restart` are allowed where they are declared"),
};
export type SvcSettings = SettingsOf<typeof svcSettings>;

/** The service of a name that may be used; undefined when it is unknown. */
export function serviceOf({ services, allow_services: allowed }: SvcSettings, name: string): Service | undefined {
  if (allowed !== undefined && !allowed.includes(name)) return undefined;
  return Object.hasOwn(services, name) ? services[name] : undefined;
}
