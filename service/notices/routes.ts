/** GET /notices: what people were notified of, and what they are to be notified of. */
import * as z from "zod";
import type { ServiceApp } from "../http/service-app.ts";
import { NOTICE_KINDS } from "../programs/notice-settings.ts";
import { jsonAnswer, send } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";
import type { NoticeStore } from "./notice.ts";
import { NOTICE_STATES, type Notice } from "./notice.ts";

const MOST = 200;

const NoticeDocument = z.object({
  id: z.string(),
  kind: z.enum(NOTICE_KINDS),
  target: z.string(),
  state: z.enum(NOTICE_STATES),
  program: z.string().nullable(),
  version: z.int().nullable(),
  cause: z.object({
    code: z.string(),
    exception: z.string().optional(),
    at: z.string().optional(),
    line: z.int().optional(),
  }),
  /** The newest of `count` jobs. */
  job_id: z.string(),
  count: z.int(),
  first_at: z.string(),
  last_at: z.string(),
  tries: z.int(),
  /** When it is sent, or tried again. */
  due_at: z.string().optional(),
  sent_at: z.string().optional(),
  /** Why the last try failed. */
  error: z.string().optional(),
});

const NoticeList = z.object({ notices: z.array(NoticeDocument) }).meta({
  id: "NoticeList",
  examples: [
    {
      notices: [
        {
          id: "5f0c6a1b2d3e4f5a6b7c8d9e0f1a2b3c",
          kind: "failure",
          target: "ops",
          state: "sent",
          program: "digest",
          version: 7,
          cause: { code: "RUNTIME_KEY_ERROR", exception: "KeyError", at: "main", line: 12 },
          job_id: "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d",
          count: 3,
          first_at: "2030-01-01T00:00:00.000Z",
          last_at: "2030-01-01T00:04:00.000Z",
          tries: 1,
          sent_at: "2030-01-01T00:05:00.000Z",
        },
      ],
    },
  ],
});

export function noticesRoute(app: ServiceApp, store: NoticeStore): void {
  app.route({
    method: "GET",
    url: "/notices",
    schema: {
      operationId: "listNotices",
      summary: "Notices of what went wrong, newest first",
      response: responses({ 200: NoticeList }, ["store_unavailable"]),
    },
    handler: async (_request, reply) => send(reply, jsonAnswer(200, { notices: (await store.list(MOST)).map(shown) })),
  });
}

function shown(notice: Notice): z.output<typeof NoticeDocument> {
  const { program, cause, jobId, firstMs, lastMs, dueMs, sentMs, code, ...rest } = notice;
  return {
    ...rest,
    program: program === "" ? null : program,
    cause: JSON.parse(cause),
    job_id: jobId,
    first_at: time(firstMs),
    last_at: time(lastMs),
    ...(dueMs === null ? {} : { due_at: time(dueMs) }),
    ...(sentMs === null ? {} : { sent_at: time(sentMs) }),
    ...(code === null ? {} : { error: code }),
  };
}

const time = (ms: number): string => new Date(ms).toISOString();
