/**
 * The packages that single adapters, settings or commands need. They do not come with weft-runner (`peerDependencies` of package.json, all
 * optional), so each is loaded at its first use, and `wf doctor --fix` installs those that are needed.
 */
import type { AdapterError } from "../vm/errors/failures.ts";
import { adapterError } from "./errors.ts";

export const PACKAGE_VERSIONS = {
  "@hpcc-js/wasm-graphviz": "1.29.2",
  "@opentelemetry/exporter-metrics-otlp-http": "0.223.0",
  "@opentelemetry/exporter-trace-otlp-http": "0.223.0",
  "@opentelemetry/resources": "2.12.0",
  "@opentelemetry/sdk-metrics": "2.12.0",
  "@opentelemetry/sdk-trace-base": "2.12.0",
  "apache-arrow": "21.2.0",
  "fast-xml-parser": "5.12.1",
  "graphile-worker": "0.17.3",
  "ical.js": "2.2.1",
  imapflow: "1.7.8",
  jose: "6.2.17",
  kysely: "0.28.18",
  nodemailer: "10.6.0",
  pg: "8.23.1",
  "postal-mime": "4.0.0",
} as const;

export type PackageName = keyof typeof PACKAGE_VERSIONS;

/** What an adapter needs beyond weft-runner, by its id. */
export const ADAPTER_PACKAGES: { readonly [adapter: string]: readonly PackageName[] } = {
  auth: ["jose"],
  calendar: ["ical.js", "fast-xml-parser"],
  db: ["kysely"],
  email: ["nodemailer", "imapflow", "postal-mime"],
  videomon: ["fast-xml-parser"],
};

/** Of WF_DATABASE_URL, and of settings that name a PostgreSQL database. */
export const POSTGRES_PACKAGES: readonly PackageName[] = ["pg", "graphile-worker"];
/** Of WF_OTEL_EXPORTER=otlp. */
export const OTLP_PACKAGES: readonly PackageName[] = [
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-metrics",
  "@opentelemetry/resources",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/exporter-metrics-otlp-http",
];

/** The command that installs packages in the versions that are tested. */
export function installCommand(names: readonly PackageName[]): string {
  return `npm ${installArguments(names).join(" ")}`;
}

export function installArguments(names: readonly PackageName[]): readonly string[] {
  return ["install", ...names.map((name) => `${name}@${PACKAGE_VERSIONS[name]}`)];
}

/** ADAPTER_NOT_CONFIGURED: `what` ("checking JWTs") needs a package that cannot be loaded. `data` names it and the command. */
export function packageMissing(what: string, name: PackageName, cause: unknown): AdapterError {
  const install = installCommand([name]);
  return adapterError("ADAPTER_NOT_CONFIGURED", `${what} needs the package ${name}: ${install}`, {
    data: { package: name, install },
    cause,
  });
}
