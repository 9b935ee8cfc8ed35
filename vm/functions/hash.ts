/** `hash`. Digests are computation, not an effect, so node's crypto is used here directly. */
import { createHash } from "node:crypto";
import { OperationFailure } from "../errors.ts";
import { textOf } from "../text.ts";
import { charge } from "../work-meter.ts";
import { type FunctionGroup, requiredText } from "./arguments.ts";

const ALGORITHMS: ReadonlySet<string> = new Set(["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]);

export const hashFunctions: FunctionGroup = {
  /** Of the UTF-8 text; a lone surrogate counts as U+FFFD there. */
  hash: (args, meter) => {
    const text = requiredText(args, 0, "hash", meter);
    const algorithm = args[1] === undefined ? "sha256" : textOf(args[1], meter).toLowerCase();
    if (!ALGORITHMS.has(algorithm)) throw new OperationFailure("unknown algorithm", "value_error");
    charge(meter, text.length);
    return createHash(algorithm).update(text, "utf8").digest("hex");
  },
};
