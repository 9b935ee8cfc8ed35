/** Exceptions as values: their texts and attributes. */
import { textOfMembers } from "../exception-members.ts";
import { BASE_EXCEPTION, KEY_ERROR, type PyException, STOP_ITERATION } from "../exceptions.ts";
import { notExact } from "../not-exact.ts";
import { type Context, fillSlots, type Value } from "../object.ts";
import { identityKey } from "../operators/keys.ts";
import { listed, repr, text } from "../operators/text.ts";

/** Its arguments, which programs can read unless CPython made the text and it is not known here. */
function known(exception: PyException): readonly Value[] {
  if (exception.isTextUnknown)
    throw notExact(
      `the text of this ${exception.type.name} is not known to be Python's; catch it without reading its text`,
    );
  return exception.args.items;
}

function exceptionText(self: PyException, ctx: Context): string {
  const args = known(self);
  const ofMembers = textOfMembers(
    self,
    (value) => text(value, ctx),
    (value) => repr(value, ctx),
  );
  if (ofMembers !== undefined) return ofMembers;
  if (args.length === 0) return "";
  if (args.length === 1) return self.type.isA(KEY_ERROR) ? repr(args[0] as Value, ctx) : text(args[0] as Value, ctx);
  return `(${listed(args, ctx)})`;
}

fillSlots<PyException>(BASE_EXCEPTION, {
  key: identityKey,
  repr: (self, ctx) => `${self.type.name}(${listed(known(self), ctx)})`,
  text: exceptionText,
  attribute(self, name) {
    if (name === "args") {
      known(self);
      return self.args;
    }
    if (name === "value" && self.type.isA(STOP_ITERATION)) return self.args.items[0] ?? null;
    if (name === "__cause__") return self.cause;
    return self.members?.get(name);
  },
});
