/** The models of one run: which of the operator's a call may use, each with the server that offers it. */
import { adapterError } from "../../errors.ts";
import type { HttpService } from "../../guard/http/http.ts";
import { refuseUnlisted } from "../../store/names.ts";
import { ProviderServer } from "./server.ts";
import type { LlmSettings, ModelConfig } from "./settings.ts";

export type ModelKind = ModelConfig["kind"];

export type Model = {
  readonly name: string;
  /** What the provider calls it. */
  readonly id: string;
  readonly config: ModelConfig;
  readonly server: ProviderServer;
};

export class Models {
  readonly settings: LlmSettings;
  readonly #http: HttpService;
  /** By provider. */
  readonly #servers = new Map<string, ProviderServer>();

  constructor(settings: LlmSettings, http: HttpService) {
    this.settings = settings;
    this.#http = http;
  }

  /**
   * Without a name: the operator's default, else the only one of the kind that is allowed. Throws ADAPTER_NOT_ALLOWED,
   * ADAPTER_NOT_CONFIGURED, ADAPTER_BAD_ARGS.
   */
  get(asked: string | undefined, kind: ModelKind): Model {
    const name = asked ?? this.#default(kind);
    const { providers, allow_models } = this.settings;
    refuseUnlisted(allow_models, name, "allow_models");
    const entry = Object.entries(providers).find(([, { models }]) => Object.hasOwn(models, name));
    const config = entry?.[1].models[name];
    if (entry === undefined || config === undefined)
      throw adapterError("ADAPTER_NOT_CONFIGURED", "the operator declares no model of this name");
    if (config.kind !== kind)
      throw adapterError("ADAPTER_BAD_ARGS", `the model is not a${kind === "chat" ? " chat" : "n embedding"} model`);
    const [providerName, provider] = entry;
    const server = this.#servers.get(providerName) ?? new ProviderServer(this.#http, providerName, provider);
    this.#servers.set(providerName, server);
    return { name, id: config.id ?? name, config, server };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  #default(kind: ModelKind): string {
    const { providers, allow_models, default_model: chosen } = this.settings;
    const models = Object.values(providers).flatMap(({ models }) => Object.entries(models));
    const fitting = models
      .filter(([name, config]) => config.kind === kind && (allow_models?.includes(name) ?? true))
      .map(([name]) => name);
    if (chosen !== undefined && fitting.includes(chosen)) return chosen;
    const [only, ...more] = fitting;
    if (only === undefined)
      throw adapterError("ADAPTER_NOT_CONFIGURED", `no model for ${kind} is configured and allowed`);
    if (more.length > 0) throw adapterError("ADAPTER_BAD_ARGS", "there are several models; name one as model");
    return only;
  }
}
