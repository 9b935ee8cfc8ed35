/**
 * The nineteen adapters of the contract as data: names, verbs, parameters and facts (docs/adapters.md 10 and 12 to 30). A
 * test compares them with the contract's manifest. The verbs of `core` are the function table; nothing here is code.
 *
 * Parameters are written `name`, with `:word` or `:key` for the class, `@role` for what a literal names, then `?` for
 * optional or `*` for any number. The options object is the last optional parameter.
 */
import { type AdapterCatalog, type AdapterEntry, createCatalog } from "../catalog.ts";
import { coreAdapter } from "./core.ts";
import { adapter, pure, read, write } from "./entry.ts";

const HTTP_READ = "url@url headers? timeout_s? options?";
const HTTP_WRITE = "url@url body? headers? timeout_s? options?";
const RECORD = "namespace kind id";

const localState = { privilege_tier: "local_state", destructive: true } as const;
const operatorOnly = { privilege_tier: "operator_sensitive" } as const;
const overNetwork = { privilege_tier: "network", network_facing: true } as const;
const extension = { support_tier: "extension_ecosystem" } as const;
const noncanonical = { support_tier: "extension_ecosystem", recommended_lane: "noncanonical" } as const;

export const builtinAdapters: readonly AdapterEntry[] = [
  coreAdapter,
  adapter("http", { ...overNetwork, destructive: true }, [
    read("Get", "http", HTTP_READ),
    write("Post", "http", HTTP_WRITE),
    write("Put", "http", HTTP_WRITE, { idempotent: true }),
    write("Patch", "http", HTTP_WRITE),
    write("Delete", "http", HTTP_READ, { idempotent: true }),
    read("Head", "http", HTTP_READ),
    read("Options", "http", HTTP_READ),
  ]),
  adapter("db", { ...localState, durable: true }, [
    read("F", "db_read", "entity:word@table filter? options?"),
    read("G", "db_read", "entity:word@table id"),
    write("P", "db_write", "entity:word@table object options?", { idempotent: "keyed" }),
    write("C", "db_write", "entity:word@table object options?", { idempotent: "keyed" }),
    write("U", "db_write", "entity:word@table filter object? options?"),
    write("D", "db_write", "entity:word@table filter options?"),
  ]),
  adapter("sqlite", { ...localState, sandbox_safe: true, durable: true }, [
    read("query", "sqlite", "sql params? options?"),
    write("execute", "sqlite", "sql params?"),
    write("batch", "sqlite", "statements"),
  ]),
  adapter("fs", { ...localState, sandbox_safe: true, durable: true }, [
    read("read", "fs", "path@path options?"),
    read("readlines", "fs", "path@path options?"),
    write("write", "fs", "path@path content? options?", { idempotent: true }),
    read("list", "fs", "path@path? options?"),
    read("glob", "fs", "pattern@path options?"),
    read("exists", "fs", "path@path"),
    read("stat", "fs", "path@path options?"),
    write("mkdir", "fs", "path@path", { idempotent: true, destructive: false }),
    write("copy", "fs", "from@path to@path options?"),
    write("move", "fs", "from@path to@path options?"),
    write("delete", "fs", "path@path options?"),
  ]),
  adapter("tools", { ...operatorOnly, destructive: true, open_verbs: true }, [
    write("Call", "tool", "name@tool arguments*"),
    write("invoke", "tool", "name@tool arguments*"),
    read("list", "tool", ""),
  ]),
  adapter(
    "wasm",
    { privilege_tier: "pure", effect_default: "pure", sandbox_safe: true },
    [pure("CALL", "module@module export numbers*"), pure("JSON", "module@module export value"), pure("LIST", "")],
    { APPLY: "CALL" },
  ),
  adapter("cache", { ...localState, sandbox_safe: true }, [
    read("get", "cache_read", "namespace_or_key key? options?"),
    write("set", "cache_write", "namespace_or_key key_or_value value? ttl_s? options?", { idempotent: true }),
    write("setex", "cache_write", "key value ttl_s options?", { idempotent: true }),
    read("has", "cache_read", "namespace_or_key key?"),
    write("incr", "cache_write", "namespace_or_key key? options?", { idempotent: "keyed" }),
    write("delete", "cache_write", "namespace_or_key key?", { idempotent: true }),
    write("clear", "cache_write", "namespace", { idempotent: true }),
    read("keys", "cache_read", "namespace options?"),
  ]),
  adapter("queue", { ...operatorOnly, destructive: true, durable: true }, [
    write("Put", "queue", "queue@queue payload options?", { idempotent: "keyed" }),
    read("len", "queue", "queue@queue"),
    write("take", "queue", "queue@queue options?"),
    write("ack", "queue", "queue@queue message_id lease options?", { idempotent: true }),
    write("nack", "queue", "queue@queue message_id lease options?", { idempotent: true }),
  ]),
  adapter("txn", localState, [
    write("begin", "txn", "name? options?"),
    write("commit", "txn", "name?"),
    write("rollback", "txn", "name?"),
  ]),
  adapter("auth", operatorOnly, [
    read("Validate", "control", "token options?", { record: "hash" }),
    read("verify", "control", "token options?", { record: "hash" }),
    pure("enforce", "policy constraints facts"),
  ]),
  adapter("memory", { ...noncanonical, ...localState, sandbox_safe: true, durable: true }, [
    write("put", "memory_write", `${RECORD} payload ttl_seconds? metadata? options?`, { idempotent: true }),
    read("get", "memory_read", `${RECORD} options?`),
    write("append", "memory_write", `${RECORD} entry ttl_seconds? metadata? options?`, { idempotent: "keyed" }),
    read("list", "memory_read", "namespace kind? id_prefix? updated_since? filters? options?"),
    write("delete", "memory_write", RECORD, { idempotent: true }),
    write("prune", "memory_write", "namespace?", { idempotent: true }),
    write("patch", "memory_write", `${RECORD} patch options?`, { idempotent: true }),
    read("count", "memory_read", "namespace kind?"),
  ]),
  adapter("agent", { ...noncanonical, ...operatorOnly, destructive: true, durable: true }, [
    write("send_task", "queue", "envelope options?", { idempotent: "keyed" }),
    read("read_result", "queue", "task_id"),
  ]),
  adapter("svc", { ...noncanonical, ...operatorOnly, destructive: true, network_facing: true, open_verbs: true }, [
    read("status", "http", "name options?"),
    read("list", "http", ""),
    read("wait", "http", "name options?"),
    write("start", "http", "name options?", { idempotent: "keyed" }),
    write("stop", "http", "name options?", { idempotent: "keyed" }),
    write("restart", "http", "name options?", { idempotent: "keyed" }),
  ]),
  adapter(
    "extras",
    { ...noncanonical, ...operatorOnly, network_facing: true },
    [
      read("file_exists", "tool", "path@path options?"),
      read("newest_file", "tool", "folder@path options?"),
      read("newest_backup_mtime", "tool", "folder@path"),
      read("disk", "tool", "path@path"),
      read("http_status", "http", "url@url options?"),
      read("tls_expiry", "http", "host@host port?"),
      read("container_image_exists", "tool", "image"),
      read("container_status", "tool", "name"),
      read("metrics", "tool", "path@path"),
      write("metrics_write", "tool", "name object options?", { idempotent: true, destructive: false }),
    ],
    { DOCKER_IMAGE_EXISTS: "container_image_exists" },
  ),
  adapter("videomon", { ...noncanonical, ...overNetwork }, [
    write("poll", "http", "channel?", { idempotent: true, destructive: false }),
    read("F", "db_read", "options?"),
    read("videos", "db_read", "channel? options?"),
    read("recent", "db_read", "hours? channel?"),
    read("video", "db_read", "id"),
    read("profile", "db_read", "channel"),
    read("search", "db_read", "text options?"),
    read("trending", "db_read", "options?"),
    read("analytics", "db_read", "channel options?"),
  ]),
  adapter("email", { ...extension, ...overNetwork, destructive: true }, [
    write("send", "http", "to subject body cc? bcc? provider? attachments? options?", {
      idempotent: "keyed",
      record: "hash",
    }),
    read("read", "http", "folder? limit? unread_only? from? subject_contains? include_attachments? options?"),
    read("G", "http", ""),
    read("search", "http", "query limit? folder?"),
    read("fetch", "http", "id options?"),
    write("reply", "http", "id body reply_all? attachments? options?", { idempotent: "keyed", record: "hash" }),
    write("draft", "http", "to subject body draft_id? options?", {
      idempotent: "keyed",
      record: "hash",
      destructive: false,
    }),
    write("move", "http", "id folder", { idempotent: true }),
    write("flag", "http", "id flags", { idempotent: true, destructive: false }),
    read("folders", "http", "options?"),
  ]),
  adapter("calendar", { ...extension, ...overNetwork, destructive: true }, [
    read("G", "http", ""),
    read("list", "http", "from to options?"),
    read("get", "http", "id"),
    write("create", "http", "event options?", { idempotent: "keyed" }),
    write("update", "http", "id patch options?", { idempotent: true }),
    write("delete", "http", "id options?", { idempotent: true }),
    read("freebusy", "http", "from to options?"),
    read("calendars", "http", ""),
  ]),
  adapter("social", { ...extension, ...overNetwork, destructive: true }, [
    read("G", "http", "query? options?"),
    read("mentions", "http", "query? options?"),
    read("search", "http", "text options?"),
    read("timeline", "http", "options?"),
    write("post", "http", "text options?", { idempotent: "keyed", record: "hash" }),
    write("reply", "http", "id text options?", { idempotent: "keyed", record: "hash" }),
    read("get", "http", "id"),
    write("delete", "http", "id", { idempotent: true }),
    read("profile", "http", "account?"),
  ]),
];

export const builtinCatalog: AdapterCatalog = createCatalog(builtinAdapters);
