/** What a run answers over HTTP. */
import type { AnswerBody } from "../../vm/answer.ts";
import type { RecordedCall } from "../../vm/recording/record-log.ts";
import type { ErrorCode } from "./errors.ts";

type OwnMembers = { readonly adapter_calls?: readonly RecordedCall[]; readonly replay_artifact_id?: string };
type Success = Extract<AnswerBody, { readonly ok: true }>;
type Failure = Omit<Extract<AnswerBody, { readonly ok: false }>, "error"> & { readonly error: ErrorCode };
export type RunBody = (Success | Failure) & OwnMembers;
