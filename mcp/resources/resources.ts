/** Both resources: what hosts list, and their text, which is made at the first read and the same ever after. */

import type { McpServices } from "../services.ts";
import { EXPOSURE_PROFILES, RESOURCE_URIS, type ResourceUri } from "../tool/exposure.ts";
import type { ResourceListing } from "../tool/sdk.ts";
import { adapterManifest } from "./adapter-manifest.ts";

type Resource = {
  readonly name: string;
  readonly description: string;
  readonly content: (services: McpServices) => Promise<object>;
};

const RESOURCES: Readonly<Record<ResourceUri, Resource>> = {
  "wf://adapter-manifest": {
    name: "Adapter manifest",
    description: "Adapters with settings, verbs, effects and tiers",
    content: adapterManifest,
  },
  "wf://security-profiles": {
    name: "Security profiles",
    description: "Named grants, and what each exposure profile shows",
    content: async ({ runtime }) => ({
      schema_version: "1.0",
      profiles: runtime.profiles,
      exposure_profiles: EXPOSURE_PROFILES,
    }),
  },
};
const MIME_TYPE = "application/json";

export type Resources = {
  list(): readonly ResourceListing[];
  /** undefined: the resource does not exist or is hidden. */
  read(uri: string): Promise<{ readonly mimeType: string; readonly text: string }> | undefined;
};

export function openResources(services: McpServices): Resources {
  const exposed = RESOURCE_URIS.filter((uri) => services.exposure.resources.has(uri));
  const texts = new Map<string, Promise<{ readonly mimeType: string; readonly text: string }>>();
  return {
    list: () =>
      exposed.map((uri) => {
        const { name, description } = RESOURCES[uri];
        return { uri, name, description, mimeType: MIME_TYPE };
      }),
    read(given) {
      const uri = exposed.find((one) => one === given);
      if (uri === undefined) return undefined;
      const known = texts.get(uri);
      if (known !== undefined) return known;
      const made = textOf(RESOURCES[uri], services);
      texts.set(uri, made);
      return made;
    },
  };
}

async function textOf({ content }: Resource, services: McpServices) {
  return { mimeType: MIME_TYPE, text: `${JSON.stringify(await content(services), null, 2)}\n` };
}
