/** What a log at level warn tells of runs: defects alone, and those without secrets. */
import { describe, expect, it } from "vitest";
import { createRedaction } from "../../adapters/redaction.ts";
import { createValueHash } from "../../adapters/run-events.ts";
import { createJsonLog, logRun } from "../../adapters/run-log.ts";
import { createWorld } from "../support/world.ts";

const EVENT = { ts: "1970-01-01T00:00:00.000Z", schema_version: "1", trace_id: "t" };
