/** What results of urlparse and its siblings can do with operators and builtins. */
import { raised, VALUE_ERROR } from "../exceptions.ts";
import { DEFRAG_RESULT_TYPE, PARSE_RESULT_TYPE, type PyUrl, SPLIT_RESULT_TYPE } from "../kinds/identifiers.ts";
import { type Context, fillSlots, type Value } from "../object.ts";
import { repr } from "../operators/text.ts";
import { lower } from "../unicode/case.ts";
import { hostParts } from "./split.ts";

const MAX_PORT = 65_535;

function attribute(self: PyUrl, name: string, ctx: Context): Value | undefined {
  const index = self.names.indexOf(name);
  if (index >= 0) return self.items[index];
  const netloc = self.items[1];
  if (!self.names.includes("netloc") || typeof netloc !== "string") return undefined;
  const parts = hostParts(netloc);
  switch (name) {
    case "username":
      return parts.username;
    case "password":
      return parts.password;
    case "hostname": {
      if (parts.hostname === null) return null;
      const [host, ...zone] = parts.hostname.split("%");
      return [lower(host as string), ...zone].join("%");
    }
    case "port": {
      if (parts.port === null) return null;
      if (!/^[0-9]+$/.test(parts.port))
        throw raised(VALUE_ERROR, `Port could not be cast to integer value as ${repr(parts.port, ctx)}`);
      const port = Number(parts.port);
      if (port > MAX_PORT) throw raised(VALUE_ERROR, "Port out of range 0-65535");
      return port;
    }
    default:
      return undefined;
  }
}

for (const type of [PARSE_RESULT_TYPE, SPLIT_RESULT_TYPE, DEFRAG_RESULT_TYPE])
  fillSlots<PyUrl>(type, {
    repr: (self, ctx) =>
      `${type.name}(${self.names.map((name, index) => `${name}=${repr(self.items[index] as Value, ctx)}`).join(", ")})`,
    attribute,
  });
