/**
 * The nineteen adapters of the contract and the extensions of this product as data: names, verbs, parameters and facts (docs/adapters/).
 * A test compares the nineteen with the contract's manifest. The verbs of `core` are the function table; nothing here is code.
 *
 * Parameters are written `name`, with `:word` or `:key` for the class, `@role` for what a literal names, `<text|list>` for the
 * only types it takes, then `?` for optional or `*` for any number. The options object is the last optional parameter.
 */
import { type AdapterCatalog, type AdapterEntry, createCatalog } from "../catalog.ts";
import { coreAdapter } from "./core.ts";
import { adapter, control, pure, read, write } from "./entry.ts";

const HTTP_READ = "url@url headers? timeout_s? options?";
const HTTP_WRITE = "url@url body? headers? timeout_s? options?";
const RECORD = "namespace<text>~namespace kind<text> id<text|integer>";

const localState = { privilege_tier: "local_state", destructive: true } as const;
const operatorOnly = { privilege_tier: "operator_sensitive" } as const;
const overNetwork = { privilege_tier: "network", network_facing: true } as const;
const extension = { support_tier: "extension_ecosystem" } as const;
const noncanonical = { support_tier: "extension_ecosystem", recommended_lane: "noncanonical" } as const;

const ASKING = { idempotent: "keyed", destructive: false, option_roles: { to: "approver" } } as const;
const MODEL = { option_roles: { model: "model" } } as const;

/** Their entries, in published order. */
export const builtinAdapters: readonly AdapterEntry[] = [
  coreAdapter,
  adapter("http", { ...overNetwork, destructive: true }, [
    read("Get", "http", HTTP_READ),
    write("Post", "http", HTTP_WRITE, { takes_key: true }),
    write("Put", "http", HTTP_WRITE, { idempotent: true }),
    write("Patch", "http", HTTP_WRITE, { takes_key: true }),
    write("Delete", "http", HTTP_READ, { idempotent: true }),
    read("Head", "http", HTTP_READ),
    read("Options", "http", HTTP_READ),
  ]),
  adapter("db", { ...localState, durable: true }, [
    read("F", "db_read", "entity:word@table filter? options<object>?"),
    read("G", "db_read", "entity:word@table id<text|number>"),
    write("P", "db_write", "entity:word@table object options<object>?", { idempotent: "keyed" }),
    write("C", "db_write", "entity:word@table object options<object>?", { idempotent: "keyed" }),
    write("U", "db_write", "entity:word@table filter object? options<object>?"),
    write("D", "db_write", "entity:word@table filter options<object>?"),
  ]),
  adapter("sqlite", { ...localState, sandbox_safe: true, durable: true }, [
    read("query", "sqlite", "sql<text> params<list|object>? options<object>?"),
    write("execute", "sqlite", "sql<text> params<list|object>?"),
    write("batch", "sqlite", "statements<list>"),
  ]),
  adapter("fs", { ...localState, sandbox_safe: true, durable: true }, [
    read("read", "fs", "path@path<text> options<object>?"),
    read("readlines", "fs", "path@path<text> options<object>?"),
    write("write", "fs", "path@path<text> content? options<object>?", { idempotent: true }),
    read("list", "fs", "path@path<text>? options<object>?"),
    read("glob", "fs", "pattern@path<text> options<object>?"),
    read("exists", "fs", "path@path<text>"),
    read("stat", "fs", "path@path<text> options<object>?"),
    write("mkdir", "fs", "path@path<text>", { idempotent: true, destructive: false }),
    write("copy", "fs", "from@path<text> to@path<text> options<object>?"),
    write("move", "fs", "from@path<text> to@path<text> options<object>?"),
    write("delete", "fs", "path@path<text> options<object>?"),
  ]),
  adapter("tools", { ...operatorOnly, destructive: true, open_verbs: true }, [
    write("Call", "tool", "name@tool<text> arguments*"),
    write("invoke", "tool", "name@tool<text> arguments*"),
    read("list", "tool", ""),
  ]),
  adapter(
    "wasm",
    { privilege_tier: "pure", effect_default: "pure", sandbox_safe: true },
    [
      pure("CALL", "module@module<text> export<text> numbers*"),
      pure("JSON", "module@module<text> export<text> value"),
      pure("LIST", ""),
    ],
    { APPLY: "CALL" },
  ),
  adapter("cache", { ...localState, sandbox_safe: true }, [
    read("get", "cache_read", "namespace_or_key<text|integer> key<text|integer>? options<object>?"),
    write("set", "cache_write", "namespace_or_key<text|integer> key_or_value value? ttl_s<integer>? options<object>?", {
      idempotent: true,
    }),
    write("setex", "cache_write", "key<text|integer> value ttl_s<integer> options<object>?", { idempotent: true }),
    read("has", "cache_read", "namespace_or_key<text|integer> key<text|integer>?"),
    write("incr", "cache_write", "namespace_or_key<text|integer> key<text|integer>? options<object>?", {
      idempotent: "keyed",
    }),
    write("delete", "cache_write", "namespace_or_key<text|integer> key<text|integer>?", { idempotent: true }),
    write("clear", "cache_write", "namespace<text|integer>", { idempotent: true }),
    read("keys", "cache_read", "namespace<text|integer> options<object>?"),
  ]),
  adapter("queue", { ...operatorOnly, destructive: true, durable: true }, [
    write("Put", "queue", "queue@queue<text> payload options<object>?", { idempotent: "keyed" }),
    read("len", "queue", "queue@queue<text>"),
    write("take", "queue", "queue@queue<text> options<object>?"),
    write("ack", "queue", "queue@queue<text> message_id<text> lease<text> options<object>?", { idempotent: true }),
    write("nack", "queue", "queue@queue<text> message_id<text> lease<text> options<object>?", { idempotent: true }),
  ]),
  adapter("txn", localState, [
    write("begin", "txn", "name<text|integer>? options<object>?"),
    write("commit", "txn", "name<text|integer>?"),
    write("rollback", "txn", "name<text|integer>?"),
  ]),
  adapter("auth", operatorOnly, [
    read("Validate", "control", "token<text> options<object>?", { record: "hash" }),
    read("verify", "control", "token<text> options<object>?", { record: "hash" }),
    pure("enforce", "policy constraints facts"),
  ]),
  adapter("memory", { ...noncanonical, ...localState, sandbox_safe: true, durable: true }, [
    write("put", "memory_write", `${RECORD} payload ttl_seconds<integer>? metadata? options<object>?`, {
      idempotent: true,
    }),
    read("get", "memory_read", `${RECORD} options<object>?`),
    write("append", "memory_write", `${RECORD} entry ttl_seconds<integer>? metadata? options<object>?`, {
      idempotent: "keyed",
    }),
    read(
      "list",
      "memory_read",
      "namespace<text>~namespace kind<text>? id_prefix<text>? updated_since<text>? filters<object>? options<object>?",
    ),
    write("delete", "memory_write", RECORD, { idempotent: true }),
    write("prune", "memory_write", "namespace<text>~namespace?", { idempotent: true }),
    write("patch", "memory_write", `${RECORD} patch options<object>?`, {
      idempotent: true,
    }),
    read("count", "memory_read", "namespace<text>~namespace kind<text>?"),
  ]),
  adapter("agent", { ...noncanonical, ...operatorOnly, destructive: true, durable: true }, [
    write("send_task", "queue", "envelope options<object>?", { idempotent: "keyed" }),
    read("read_result", "queue", "task_id<text|integer>"),
  ]),
  adapter("svc", { ...noncanonical, ...operatorOnly, destructive: true, network_facing: true, open_verbs: true }, [
    read("status", "http", "name<text> options<object>?"),
    read("list", "http", ""),
    read("wait", "http", "name<text> options<object>?"),
    write("start", "http", "name<text> options<object>?", { idempotent: "keyed" }),
    write("stop", "http", "name<text> options<object>?", { idempotent: "keyed" }),
    write("restart", "http", "name<text> options<object>?", { idempotent: "keyed" }),
  ]),
  adapter(
    "extras",
    { ...noncanonical, ...operatorOnly, network_facing: true },
    [
      read("file_exists", "tool", "path@path<text> options<object>?"),
      read("newest_file", "tool", "folder@path<text> options<object>?"),
      read("newest_backup_mtime", "tool", "folder@path<text>"),
      read("disk", "tool", "path@path<text>"),
      read("http_status", "http", "url@url<text> options<object>?"),
      read("tls_expiry", "http", "host@host<text> port<integer>?"),
      read("container_image_exists", "tool", "image<text>"),
      read("container_status", "tool", "name<text>"),
      read("metrics", "tool", "path@path<text>"),
      write("metrics_write", "tool", "name<text> object options<object>?", { idempotent: true, destructive: false }),
    ],
    { DOCKER_IMAGE_EXISTS: "container_image_exists" },
  ),
  adapter("videomon", { ...noncanonical, ...overNetwork }, [
    write("poll", "http", "channel<text>?", { idempotent: true, destructive: false }),
    read("F", "db_read", "options<object>?"),
    read("videos", "db_read", "channel<text>? options<object>?"),
    read("recent", "db_read", "hours<number>? channel<text>?"),
    read("video", "db_read", "id<text|integer>"),
    read("profile", "db_read", "channel<text>"),
    read("search", "db_read", "text<text> options<object>?"),
    read("trending", "db_read", "options<object>?"),
    read("analytics", "db_read", "channel<text> options<object>?"),
  ]),
  adapter("email", { ...extension, ...overNetwork, destructive: true }, [
    write(
      "send",
      "http",
      "to<text|list> subject<text> body<text|object> cc<text|list>? bcc<text|list>? provider<text>? attachments<list>? options<object>?",
      {
        idempotent: "keyed",
        record: "hash",
      },
    ),
    read(
      "read",
      "http",
      "folder<text>? limit<integer>? unread_only<boolean>? from<text>? subject_contains<text>? include_attachments<boolean>? options<object>?",
    ),
    read("G", "http", ""),
    read("search", "http", "query<text|object> limit<integer>? folder<text>?"),
    read("fetch", "http", "id<text> options<object>?"),
    write("reply", "http", "id<text> body<text|object> reply_all<boolean>? attachments<list>? options<object>?", {
      idempotent: "keyed",
      record: "hash",
    }),
    write("draft", "http", "to<text|list> subject<text> body<text|object> draft_id<text>? options<object>?", {
      idempotent: "keyed",
      record: "hash",
      destructive: false,
    }),
    write("move", "http", "id<text> folder<text>", { idempotent: true }),
    write("flag", "http", "id<text> flags<list|object>", { idempotent: true, destructive: false }),
    read("folders", "http", "options<object>?"),
  ]),
  adapter("calendar", { ...extension, ...overNetwork, destructive: true }, [
    read("G", "http", ""),
    read("list", "http", "from<text> to<text> options<object>?"),
    read("get", "http", "id<text>"),
    write("create", "http", "event<object> options<object>?", { idempotent: "keyed" }),
    write("update", "http", "id<text> patch<object> options<object>?", { idempotent: true }),
    write("delete", "http", "id<text> options<object>?", { idempotent: true }),
    read("freebusy", "http", "from<text> to<text> options<object>?"),
    read("calendars", "http", ""),
  ]),
  adapter("social", { ...extension, ...overNetwork, destructive: true }, [
    read("G", "http", "query<text>? options<object>?"),
    read("mentions", "http", "query<text>? options<object>?"),
    read("search", "http", "text<text> options<object>?"),
    read("timeline", "http", "options<object>?"),
    write("post", "http", "text<text> options<object>?", { idempotent: "keyed", record: "hash" }),
    write("reply", "http", "id<text|integer> text<text> options<object>?", { idempotent: "keyed", record: "hash" }),
    read("get", "http", "id<text|integer>"),
    write("delete", "http", "id<text|integer>", { idempotent: true }),
    read("profile", "http", "account<text>?"),
  ]),
  // Those that wait. They are not among the nineteen of the contract, and come after them.
  adapter("timer", { ...extension, ...localState, destructive: false, sandbox_safe: true, durable: true }, [
    control("sleep", "span<text|number>~span"),
    read("next", "read", "cron<text>~cron options<object>?"),
    control("until", "time<text|number>~instant"),
  ]),
  adapter("signal", { ...extension, ...localState, destructive: false, sandbox_safe: true, durable: true }, [
    read("wait", "read", "names@signal<text|list> options<object>?"),
    write("send", "write", "name<text> data options<object>?", { idempotent: "keyed", destructive: false }),
    write("link", "write", "name<text> options<object>?", { idempotent: "keyed", destructive: false }),
  ]),
  adapter("approval", { ...extension, ...operatorOnly, destructive: false, durable: true }, [
    write("ask", "write", "title<text> options<object>?", ASKING),
    write("open", "write", "title<text> options<object>?", ASKING),
    read("wait", "read", "id<text> options<object>?"),
    write("cancel", "write", "id<text>", { idempotent: true, destructive: false }),
  ]),
  // The extensions of this product, after the adapters of the contract.
  adapter("llm", { ...noncanonical, ...operatorOnly, network_facing: true }, [
    read("chat", "http", "prompt<text|list> options<object>?", MODEL),
    read("embed", "http", "texts<list> options<object>?", MODEL),
    read("classify", "http", "text<text> choices<list> options<object>?", MODEL),
    read("extract", "http", "text<text> schema options<object>?", MODEL),
  ]),
];

/** The catalog of a host that has no adapters of its own. */
export const builtinCatalog: AdapterCatalog = createCatalog(builtinAdapters);
