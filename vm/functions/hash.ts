/** `hash`. Digests are computation, not an effect, so node's crypto is used here directly. */
import { createHash } from "node:crypto";
import { OperationFailure } from "../errors/failures.ts";
import { piecesOf, textTask } from "../values/text.ts";
import { type FunctionGroup, requiredTextTask, resumable } from "./arguments.ts";

const ALGORITHMS: ReadonlySet<string> = new Set(["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]);

export const hashFunctions: FunctionGroup = {
  /** Of the UTF-8 text; a lone surrogate counts as U+FFFD there. */
  hash: resumable(function* (args, pace) {
    const text = yield* requiredTextTask(args, 0, "hash", pace);
    const algorithm = args[1] === undefined ? "sha256" : (yield* textTask(args[1], pace)).toLowerCase();
    if (!ALGORITHMS.has(algorithm)) throw new OperationFailure("unknown algorithm", "value_error");
    const hash = createHash(algorithm);
    for (const piece of piecesOf(text)) {
      hash.update(piece, "utf8");
      if (pace.add(piece.length)) yield;
    }
    return hash.digest("hex");
  }),
};
