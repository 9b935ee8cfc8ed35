/**
 * Settings of extras, and what a run holds open under them: the folders it may look into, and the folder of metrics. Nothing here
 * says what is done there.
 */
import { type SettingsOf, setting, type VerbContext, z } from "../define.ts";
import { adapterError } from "../errors.ts";
import { type FileRoot, openRoot } from "../guard/path.ts";
import type { HostPlaces } from "../services.ts";

const absolute = z.string().startsWith("/");

export const extrasSettings = {
  allow_hosts: setting.list("host"),
  allow_containers: setting.allow(false),
  probe_roots: setting.operator(z.array(absolute).optional()),
  container_socket: setting.operator(absolute.optional()),
  compat: setting.operator(z.boolean().default(false)),
  summary_root: setting.operator(absolute.optional()),
};
export type ExtrasSettings = SettingsOf<typeof extrasSettings>;

/** A folder to look into, with the path by which the operator named it. */
export type ProbeRoot = { readonly path: string; readonly root: FileRoot };

export type ExtrasInstance = {
  probeRoots(): Promise<readonly ProbeRoot[]>;
  /** Made when it is missing. */
  summaryRoot(): Promise<FileRoot>;
};

export type ExtrasCall = {
  readonly settings: ExtrasSettings;
  readonly instance: ExtrasInstance;
  readonly ctx: VerbContext;
};

/** Folders are opened at their first use: a probe of a host needs none. */
export function extrasInstance(settings: ExtrasSettings, { summaryRoot, stateDir }: HostPlaces): ExtrasInstance {
  const summaryPath = settings.summary_root ?? summaryRoot;
  let summaries: Promise<FileRoot> | undefined;
  let probed: Promise<readonly ProbeRoot[]> | undefined;

  const openSummaries = async (): Promise<FileRoot> => {
    if (summaryPath === null)
      throw adapterError("ADAPTER_NOT_CONFIGURED", "no folder for metrics is configured: set WF_SUMMARY_ROOT");
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
  };
}
