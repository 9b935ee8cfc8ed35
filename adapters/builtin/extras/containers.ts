/**
 * Probes of a container engine over its Unix socket: two read-only requests. The socket gives every process that may write to
 * it the rights of root, so it is the operator's to configure, and a program chooses no more than a name.
 */
import { isObject, type Json } from "../../../compiler/json.ts";
import { z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { readBody } from "../../guard/http/body.ts";
import { requestError } from "../../guard/http/errors.ts";
import type { ExtrasCall } from "./settings.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** What engines accept, and nothing that could lead to another path of their API. */
export const imageName = z.string().regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._:/@-]{0,254}$/, "the name of an image");
export const containerName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/, "the name of a container");

type ImageFacts = { readonly exists: boolean; readonly id: string | null };

export async function imageFacts(image: string, call: ExtrasCall): Promise<ImageFacts> {
  const found = await engineAnswer(`/images/${image}/json`, call);
  return found === null ? { exists: false, id: null } : { exists: true, id: textOf(found["Id"]) };
}

type ContainerFacts = {
  readonly state: string;
  readonly health: string | null;
  readonly started_at: string | null;
  readonly restarts: number;
};

const containerShape = z.object({
  RestartCount: z.number().int().nonnegative().default(0),
  State: z.object({
    Status: z.string(),
    StartedAt: z.string().optional(),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
});

/** ADAPTER_NOT_FOUND when the engine has no such container. */
export async function containerFacts(name: string, call: ExtrasCall): Promise<ContainerFacts> {
  const found = await engineAnswer(`/containers/${name}/json`, call);
  if (found === null) throw adapterError("ADAPTER_NOT_FOUND", "the engine has no such container");
  const read = containerShape.safeParse(found);
  if (!read.success) throw badAnswer();
  const { RestartCount, State } = read.data;
  return {
    state: State.Status,
    health: State.Health?.Status ?? null,
    started_at: startTime(State.StartedAt),
    restarts: RestartCount,
  };
}

/** The engine tells nanoseconds, and the year 1 of a container that never ran. */
function startTime(text: string | undefined): string | null {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) || ms <= 0 ? null : new Date(ms).toISOString();
}

/** null: 404. */
async function engineAnswer(
  path: string,
  { settings, ctx }: ExtrasCall,
): Promise<{ readonly [name: string]: Json } | null> {
  const { allow_containers: allowed, container_socket: socketPath } = settings;
  if (!allowed) throw adapterError("ADAPTER_NOT_ALLOWED", "asking the container engine is not allowed");
  if (socketPath === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "container_socket is not set");
  const { status, bytes } = await asked(socketPath, path, ctx.signal);
  if (status === 404) return null;
  if (status !== 200)
    throw adapterError("ADAPTER_FAILED", "the container engine answered with an error", { data: { status } });
  return parsedObject(bytes);
}

async function asked(
  socketPath: string,
  path: string,
  signal: AbortSignal,
): Promise<{ status: number; bytes: Buffer }> {
  const { Client } = await import("undici");
  const client = new Client("http://localhost", { socketPath });
  try {
    const { statusCode, body } = await client.request({ method: "GET", path, signal });
    return { status: statusCode, bytes: await readBody(body, [], { maxBytes: MAX_ANSWER_BYTES, signal }) };
  } catch (cause) {
    throw noSocket(cause) ?? requestError(cause, signal);
  } finally {
    await client.destroy();
  }
}

function noSocket(cause: unknown): Error | null {
  const code = cause instanceof Error && "code" in cause ? cause.code : "";
  if (code !== "ENOENT" && code !== "EACCES" && code !== "ENOTSOCK") return null;
  return adapterError("ADAPTER_NOT_CONFIGURED", "container_socket leads to no socket that can be used", { cause });
}

function parsedObject(bytes: Buffer): { readonly [name: string]: Json } {
  let value: Json;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw badAnswer();
  }
  if (!isObject(value)) throw badAnswer();
  return value;
}

function textOf(value: Json | undefined): string {
  if (typeof value !== "string") throw badAnswer();
  return value;
}

function badAnswer() {
  return adapterError("ADAPTER_BAD_DATA", "the container engine's answer is not understood");
}
