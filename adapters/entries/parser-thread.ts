/**
 * The thread that parses untrusted documents: mail, feeds, answers of calendar servers and calendars. Each request names its kind; what the
 * parser throws is reported by its code. Loaded in the thread only: what is imported here ends in its bundle.
 */
import { parentPort } from "node:worker_threads";
import { AdapterError } from "../../vm/errors/failures.ts";
import { parseCalendars } from "../builtin/calendar/events/ical.ts";
import { resourcesIn } from "../builtin/calendar/server/dav-xml.ts";
import { parsedMail } from "../builtin/email/message/parsing.ts";
import { parseFeed } from "../content/feed/text.ts";
import type { ParserJob, ParserReply } from "./parser-messages.ts";

/** By kind of document. */
const PARSERS = {
  mail: parsedMail,
  feed: parseFeed,
  multistatus: resourcesIn,
  calendars: parseCalendars,
} as const;
export type Parsers = typeof PARSERS;

async function reply({ kind, source }: ParserJob): Promise<ParserReply> {
  try {
    const parse: (...source: readonly never[]) => unknown = PARSERS[kind as keyof Parsers];
    return { document: await parse(...(source as readonly never[])) };
  } catch (thrown) {
    if (!(thrown instanceof AdapterError)) return { error: null };
    return { error: { code: thrown.code, message: thrown.message, data: thrown.data } };
  }
}

parentPort?.on("message", async (job: ParserJob) => parentPort?.postMessage(await reply(job)));
parentPort?.postMessage("ready");
