/**
 * Settings of extras, and what a run holds open under them: the folders it may look into, and the folder of metrics. Nothing here
 * says what is done there.
 */
import { type SettingsOf, setting, type VerbContext, z } from "../../definition/define.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { adapterError } from "../../errors.ts";
import { type FileRoot, openRoot } from "../../guard/files/path.ts";
import { type HttpScope, neededHttp } from "../../guard/http/http.ts";

const absolute = z.string().startsWith("/");

export const extrasSettings = {
  allow_hosts: setting
    .list("host")
    .describe(
      "host patterns for `http_status` and `tls_expiry`; without the list every public host. Only the operator's list admits a private address, by naming it",
    ),
  allow_containers: setting
    .grant()
    .describe("whether the container engine may be asked; only the operator can say true"),
  probe_roots: setting
    .operator(z.array(absolute).optional())
    .describe("folders that may be looked into, as absolute paths; without it the folder of metrics"),
  container_socket: setting.operator(absolute.optional()).describe("Unix socket of the container engine"),
  compat: setting
    .operator(z.boolean().default(false))
    .describe("`file_exists`, `http_status` and `container_image_exists` answer 1 or 0"),
  summary_root: setting
    .operator(absolute.optional())
    .describe(
      "the folder of metrics, made when it is missing; without it `WF_SUMMARY_ROOT`, else `summaries` in the state directory",
    ),
};
type ExtrasSettings = SettingsOf<typeof extrasSettings>;

/** A folder to look into, with the path by which the operator named it. */
export type ProbeRoot = { readonly path: string; readonly root: FileRoot };

export type ExtrasInstance = {
  probeRoots(): Promise<readonly ProbeRoot[]>;
  /** Made when it is missing. */
  summaryRoot(): Promise<FileRoot>;
  http(): HttpScope;
  close(): Promise<void>;
};

export type ExtrasCall = {
  readonly settings: ExtrasSettings;
  readonly instance: ExtrasInstance;
  readonly ctx: VerbContext;
};

/** Everything is opened at its first use: a probe of a host needs no folder, and the other way round. */
export function extrasInstance(settings: ExtrasSettings, host: HostServices): ExtrasInstance {
  const { summaryRoot, stateDir } = host.places;
  const summaryPath = settings.summary_root ?? summaryRoot;
  let summaries: Promise<FileRoot> | undefined;
  let probed: Promise<readonly ProbeRoot[]> | undefined;
  let scope: HttpScope | undefined;

  const openSummaries = async (): Promise<FileRoot> => {
    if (summaryPath === null)
      throw adapterError(
        "ADAPTER_NOT_CONFIGURED",
        "no folder is configured: the operator sets summary_root, for probes also probe_roots",
      );
    return openRoot(summaryPath, { setting: "summary_root", stateDir, create: true });
  };
  const summaryFolder = () => {
    summaries ??= openSummaries();
    return summaries;
  };
  const openProbed = async (): Promise<readonly ProbeRoot[]> => {
    const { probe_roots: paths } = settings;
    if (paths === undefined) return [{ path: summaryPath ?? "", root: await summaryFolder() }];
    return Promise.all(
      paths.map(async (path) => ({
        path,
        root: await openRoot(path, { setting: "probe_roots", stateDir, create: false }),
      })),
    );
  };
  return {
    summaryRoot: summaryFolder,
    probeRoots() {
      probed ??= openProbed();
      return probed;
    },
    http() {
      if (scope === undefined) {
        const service = neededHttp(host.http, "probes of hosts need");
        const operator = service.operatorRules("extras");
        const operatorHosts = operator === null ? settings.allow_hosts : operator.allowHosts;
        scope = service.scope({ allowHosts: settings.allow_hosts, operatorHosts });
      }
      return scope;
    },
    async close() {
      await scope?.close();
    },
  };
}
